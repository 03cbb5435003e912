#!/usr/bin/env python3
# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""Compiles the misuses of compile_cases.txt, which must fail with the text they name, and their twins, which must not.

compile_cases.py LIST COMPILER [FLAG ...]
"""
import concurrent.futures
import os
import subprocess
import sys
import tempfile

HEADERS = """#include <array>
#include <deque>
#include <list>
#include <ranges>
#include <span>
#include <vector>
#include <lacis/generate.hpp>
#include <lacis/hash.hpp>
#include <lacis/plan.hpp>
#include <lacis/precondition.hpp>
#include <lacis/solve_auto.hpp>
#include <lacis/spgemm_masked.hpp>
#include <lacis/spgemm_plan.hpp>
#include <lacis/structure.hpp>
#include <lacis/vector.hpp>
"""
MATRICES = """using namespace lacis;
[[maybe_unused]] static void use(const csr_matrix<double>& a, const plan<double>& p, std::vector<double>& x,
                                 std::vector<double>& y%s) {
  (void)a, (void)p, (void)x, (void)y;
"""
EIGEN = ", Eigen::MatrixXd& m, Eigen::VectorXd& u, Eigen::VectorXd& v"


def read_cases(path):
    cases = []
    for line in open(path, encoding="utf-8"):
        word, _, rest = line.rstrip("\n").partition(" ")
        if word == "case":
            cases.append({"name": rest, "common": [], "bad": [], "good": [], "text": None, "eigen": False})
        elif word == "text":
            cases[-1]["text"] = rest
        elif word == "needs":
            cases[-1]["eigen"] = True
        elif word in ("|", "-", "+"):
            cases[-1][{"|": "common", "-": "bad", "+": "good"}[word]].append(rest)
    return cases


def program(cases, which):
    """One function per case, each in a namespace of its own."""
    text = ""
    for number, case in enumerate(cases):
        arguments = EIGEN if case["eigen"] else ""
        body = "\n".join(case["common"] + case[which])
        text += f"namespace case_{number} {{\n{MATRICES % arguments}{body}\n}}\n}}\n"
    return text


def run(command, text=""):
    return subprocess.run(command, input=text, capture_output=True, text=True, check=False)


def refuses(case, command):
    """What is wrong with a misuse: nothing when the compiler says the text."""
    done = run(command, program([case], "bad"))
    if done.returncode == 0:
        return "compiles"
    return None if case["text"] in done.stderr else f"fails without '{case['text']}':\n{done.stderr[:2000]}"


def faults_of(cases, headers, compiler, folder):
    """The headers are compiled once: they take far longer than a case."""
    header = os.path.join(folder, "headers.hpp")
    with open(header, "w", encoding="utf-8") as file:
        file.write(headers)
    made = run([*compiler, "-x", "c++-header", header, "-o", header + ".gch"])
    if made.returncode != 0:
        return ["the headers do not compile:\n" + made.stderr[:4000]]
    command = [*compiler, "-fsyntax-only", "-include", header, "-x", "c++", "-"]
    faults = []
    twins = run(command, program(cases, "good"))
    if twins.returncode != 0:
        faults.append("the twins do not compile:\n" + twins.stderr[:4000])
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for case, fault in zip(cases, pool.map(lambda case: refuses(case, command), cases)):
            if fault:
                faults.append(f"{case['name']}: {fault}")
    return faults


def main():
    path, *compiler = sys.argv[1:]
    compiler.append("-std=c++20")
    cases = read_cases(path)
    headers = HEADERS
    if run([*compiler, "-E", "-x", "c++", "-"], "#include <Eigen/Core>\n").returncode == 0:
        headers += "#include <Eigen/Core>\n"
    else:
        print("Eigen is not installed (libeigen3-dev): its cases are left out")
        cases = [case for case in cases if not case["eigen"]]
    with tempfile.TemporaryDirectory() as folder:
        faults = faults_of(cases, headers, compiler, folder)
    print("\n".join(faults) if faults else f"{len(cases)} misuses do not compile, their twins do")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
