#pragma once

/// Calls of malloc, calloc, realloc and the aligned ones by the whole process so far.
long helio_malloc_count(void);
