// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Nothing: the headers that all tests share are compiled with it.
