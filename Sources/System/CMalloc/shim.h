#pragma once
// mallopt(3), which Swift's Glibc leaves out.
#include <malloc.h>
