#pragma once

/// The number of calls of malloc, calloc, realloc and the aligned variants by the whole process so far.
long helio_malloc_count(void);

/// The bytes allocated and not freed in the first arena, which is that of a single-threaded process.
long helio_malloc_held(void);
