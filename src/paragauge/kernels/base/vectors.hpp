// Wider vector instructions where the machine has them. Products are not fused with sums
// (-ffp-contract=off), so every machine gets the same bits.
#pragma once

#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(PARAGAUGE_SANITIZE)
#define PARAGAUGE_VECTORS __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define PARAGAUGE_VECTORS
#endif
