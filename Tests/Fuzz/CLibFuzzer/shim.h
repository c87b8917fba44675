#pragma once
#include <stddef.h>
#include <stdint.h>

// From compiler-rt's FuzzerInterface.h, which no package installs. Swift's `-sanitize=fuzzer` links the library.
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*callback)(const uint8_t *data, size_t size));
