// The result of `stat` in a type of our own: several modules define `struct stat` in Swift, and which definition is
// used depends on the other imports.
#pragma once
#include <fcntl.h>
#include <stdint.h>
#include <sys/stat.h>

typedef struct {
    uint64_t inode;
    int64_t size;
    /// The time of the last modification, in nanoseconds since 1970.
    int64_t modified;
    /// The lower nine bits of the mode: read, write and execute permissions.
    uint32_t permissions;
    uint32_t owner;
    int is_plain_file;
    int is_folder;
    uint64_t device;
    uint64_t links;
} helio_file_status;

static inline void helio_file_status_fill(const struct stat *s, helio_file_status *out) {
#if defined(__APPLE__)
    const struct timespec modified = s->st_mtimespec;
#else
    const struct timespec modified = s->st_mtim;
#endif
    out->inode = (uint64_t)s->st_ino;
    out->size = (int64_t)s->st_size;
    out->modified = (int64_t)modified.tv_sec * 1000000000 + modified.tv_nsec;
    out->permissions = s->st_mode & 0777;
    out->owner = s->st_uid;
    out->is_folder = S_ISDIR(s->st_mode);
    out->is_plain_file = S_ISREG(s->st_mode);
    out->device = (uint64_t)s->st_dev;
    out->links = (uint64_t)s->st_nlink;
}

/// Reads the status of the file at a path, following links. Returns 0 if there is no such file.
static inline int helio_file_status_of_path(const char *path, helio_file_status *out) {
    struct stat s;
    if (stat(path, &s) != 0) return 0;
    helio_file_status_fill(&s, out);
    return 1;
}

/// Reads the status of an open file. Returns 0 if the descriptor is invalid.
static inline int helio_file_status_of_descriptor(int descriptor, helio_file_status *out) {
    struct stat s;
    if (fstat(descriptor, &s) != 0) return 0;
    helio_file_status_fill(&s, out);
    return 1;
}

/// Reads the status of a name in an open folder, without following a link. Returns 0 if there is no such name.
static inline int helio_file_status_at(int folder, const char *name, helio_file_status *out) {
    struct stat s;
    if (fstatat(folder, name, &s, AT_SYMLINK_NOFOLLOW) != 0) return 0;
    helio_file_status_fill(&s, out);
    return 1;
}
