// The files of Web/viewer, compiled in: a program that was copied to another place has them too. SwiftPM compiles this
// again when one of them changes. (What SwiftPM embeds by itself becomes an array in Swift, which takes half a minute
// of compiling for 100 KB; by #embed of C23 it takes none.)
//
// Written by script/embed-pages.

#include "CWebPages.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const uint8_t file_index_html[] = {
#embed "../viewer/index.html"
};

static const struct CWebPage pages[] = {
    {"index.html", file_index_html, sizeof file_index_html},
};

size_t cwebpages_count(void) { return sizeof pages / sizeof *pages; }

struct CWebPage cwebpages_at(size_t index) { return pages[index]; }
