#!/usr/bin/env bash
# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
# Three network namespaces as hosts, joined by a bridge and limited to a rate each way: products over TCP, beside the model's
# prediction. By hand, as root; needs ip and tc (iproute2).
#
#     bench/namespaces.sh build/release [MATRIX] [RATE]        defaults: @poisson3d:200 1gbit
set -euo pipefail
build=$(cd "${1:?the build directory, such as build/release}" && pwd)
matrix=${2:-@poisson3d:200}
rate=${3:-1gbit}
hosts=(h1 h2 h3)

clean() {
  for host in "${hosts[@]}"; do ip netns del "lacis-$host" 2>/dev/null || true; done
  ip link del lacis-bridge 2>/dev/null || true
  rm -rf "$work"
}
work=$(mktemp -d)
trap clean EXIT

ip link add lacis-bridge type bridge
ip addr add 10.77.0.254/24 dev lacis-bridge
ip link set lacis-bridge up
number=0
for host in "${hosts[@]}"; do
  number=$((number + 1))
  ip netns add "lacis-$host"
  ip link add "veth-$host" type veth peer name eth0 netns "lacis-$host"
  ip link set "veth-$host" master lacis-bridge up
  ip -n "lacis-$host" addr add "10.77.0.$number/24" dev eth0
  ip -n "lacis-$host" link set eth0 up
  ip -n "lacis-$host" link set lo up
  # What leaves the host, and what reaches it.
  ip netns exec "lacis-$host" tc qdisc add dev eth0 root tbf rate "$rate" burst 128kb latency 50ms
  tc qdisc add dev "veth-$host" root tbf rate "$rate" burst 128kb latency 50ms
  echo "10.77.0.$number slots=1" >>"$work/hosts"
done
# Instead of ssh: the command runs in the namespace whose address it is called with.
cat >"$work/agent" <<'AGENT'
#!/usr/bin/env bash
while [[ $1 == -* ]]; do shift; done
address=$1
shift
exec ip netns exec "lacis-h${address##*.}" bash -c "$*"
AGENT
chmod +x "$work/agent"

run() {
  ip netns exec lacis-h1 mpirun --allow-run-as-root --hostfile "$work/hosts" -n 3 --mca plm_rsh_agent "$work/agent" \
    --mca btl tcp,self --mca btl_tcp_if_include 10.77.0.0/24 --mca oob_tcp_if_include 10.77.0.0/24 --mca mpi_yield_when_idle 1 "$@"
}
echo "== a bare exchange between three hosts, $rate"
run "$build/bin/bench_bare_exchange" 200
echo "== lacis over TCP"
run "$build/bin/lacis" spmv "$matrix" --mpi --json >"$work/measured.json"
python3 - "$work/measured.json" "$build/bin/lacis" "$matrix" "$rate" <<'COMPARE'
import json, re, subprocess, sys
found = json.load(open(sys.argv[1]))
number, unit = re.match(r"([\d.]+)(\w)bit", sys.argv[4]).groups()
bytes_per_second = float(number) * {"k": 1e3, "m": 1e6, "g": 1e9}[unit] / 8
model = json.loads(subprocess.run([sys.argv[2], "scale", sys.argv[3], "--ranks", "3", "--network", f"30,{bytes_per_second / 1e9 * 1448 / 1538}",
                                   "--bandwidth", "18", "--json"], check=True, stdout=subprocess.PIPE, text=True).stdout)
predicted = model["strong"][0]["model_exchange_s"]
print(f"{found['processes']} processes, hash {found['hash']}, {found['exchange']}, {found['sent_bytes']} bytes in {found['messages']} messages")
print(f"exchange {1e3 * found['exchange_s']:.2f} ms, model {1e3 * predicted:.2f} ms, measured / model {found['exchange_s'] / predicted:.2f}")
COMPARE
