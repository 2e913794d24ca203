"""What all kernels are made with: compile options, SIMD lanes, the cache of compiled code. Knows nothing of poker."""
