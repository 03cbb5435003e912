// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The members of a kernel one by one: a launch passes them as separate arguments.
#pragma once

namespace lacis::simt {

/// Converts to whatever a member is; used to count members.
struct any_member {
  template <class T> operator T() const;
};

/// The number of members of an aggregate.
template <class K, class... Members> constexpr int field_count() {
  if constexpr (requires { K{Members{}..., any_member{}}; })
    return field_count<K, Members..., any_member>();
  else
    return static_cast<int>(sizeof...(Members));
}

inline constexpr int most_fields = 20;

/// f(member, member, ...).
template <class K, class F> constexpr decltype(auto) with_fields(K& kernel, F&& f) {
  constexpr int members = field_count<K>();
  static_assert(members >= 1 && members <= most_fields, "a kernel has 1 to 20 arguments");
  if constexpr (members == 1) {
    auto& [a] = kernel;
    return f(a);
  } else if constexpr (members == 2) {
    auto& [a, b] = kernel;
    return f(a, b);
  } else if constexpr (members == 3) {
    auto& [a, b, c] = kernel;
    return f(a, b, c);
  } else if constexpr (members == 4) {
    auto& [a, b, c, d] = kernel;
    return f(a, b, c, d);
  } else if constexpr (members == 5) {
    auto& [a, b, c, d, e] = kernel;
    return f(a, b, c, d, e);
  } else if constexpr (members == 6) {
    auto& [a, b, c, d, e, g] = kernel;
    return f(a, b, c, d, e, g);
  } else if constexpr (members == 7) {
    auto& [a, b, c, d, e, g, h] = kernel;
    return f(a, b, c, d, e, g, h);
  } else if constexpr (members == 8) {
    auto& [a, b, c, d, e, g, h, i] = kernel;
    return f(a, b, c, d, e, g, h, i);
  } else if constexpr (members == 9) {
    auto& [a, b, c, d, e, g, h, i, j] = kernel;
    return f(a, b, c, d, e, g, h, i, j);
  } else if constexpr (members == 10) {
    auto& [a, b, c, d, e, g, h, i, j, k] = kernel;
    return f(a, b, c, d, e, g, h, i, j, k);
  } else if constexpr (members == 11) {
    auto& [a, b, c, d, e, g, h, i, j, k, l] = kernel;
    return f(a, b, c, d, e, g, h, i, j, k, l);
  } else if constexpr (members == 12) {
    auto& [a, b, c, d, e, g, h, i, j, k, l, m] = kernel;
    return f(a, b, c, d, e, g, h, i, j, k, l, m);
  } else if constexpr (members == 13) {
    auto& [a, b, c, d, e, g, h, i, j, k, l, m, n] = kernel;
    return f(a, b, c, d, e, g, h, i, j, k, l, m, n);
  } else if constexpr (members == 14) {
    auto& [a, b, c, d, e, g, h, i, j, k, l, m, n, o] = kernel;
    return f(a, b, c, d, e, g, h, i, j, k, l, m, n, o);
  } else if constexpr (members == 15) {
    auto& [a, b, c, d, e, g, h, i, j, k, l, m, n, o, p] = kernel;
    return f(a, b, c, d, e, g, h, i, j, k, l, m, n, o, p);
  } else if constexpr (members == 16) {
    auto& [a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q] = kernel;
    return f(a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q);
  } else if constexpr (members == 17) {
    auto& [a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r] = kernel;
    return f(a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r);
  } else if constexpr (members == 18) {
    auto& [a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s] = kernel;
    return f(a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s);
  } else if constexpr (members == 19) {
    auto& [a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, t] = kernel;
    return f(a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, t);
  } else if constexpr (members == 20) {
    auto& [a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u] = kernel;
    return f(a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u);
  }
}

}  // namespace lacis::simt
