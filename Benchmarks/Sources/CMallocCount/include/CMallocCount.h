#pragma once

/// Calls of malloc, calloc, realloc and the aligned ones by the whole process so far.
long helio_malloc_count(void);

/// Bytes of the first arena that were handed out and not given back: those of a process of one thread.
long helio_malloc_held(void);
