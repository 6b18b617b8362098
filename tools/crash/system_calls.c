/* Kill a process, or fill its disk, at a chosen call that changes the file system.
 *
 * Preload it (LD_PRELOAD) and call crash_arm in the process that writes. From then on each call that
 * changes something below the folder is counted: open for writing, write, rename, link, unlink, mkdir,
 * rmdir, truncate, fsync. Before the call number `kill_at` the process is killed, as by kill -9; after
 * `room` bytes each write fails with ENOSPC, as on a full disk, and so does each new file. -1: never.
 * With crash_watch, the process says so on a pipe before each call, and waits for an answer, so that
 * another one can look at the folder.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static char folder[PATH_MAX];
static long kill_at = -1, room = -1;
static long *shared; /* calls, bytes written: in memory that forks share */
static int tells = -1, waits = -1;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void crash_arm(const char *place, long at, long bytes) {
    snprintf(folder, sizeof folder, "%s", place);
    kill_at = at;
    room = bytes;
    shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) abort();
}

void crash_watch(int to, int from) {
    tells = to;
    waits = from;
}

long crash_calls(void) { return shared ? shared[0] : 0; }

long crash_bytes(void) { return shared ? shared[1] : 0; }

static int inside(const char *path) { return strncmp(path, folder, strlen(folder)) == 0; }

static int below(int at, const char *path) {
    char whole[PATH_MAX * 2], base[PATH_MAX];
    ssize_t size;
    char link[64];
    if (!shared || !path) return 0;
    if (path[0] == '/') return inside(path);
    if (at == AT_FDCWD) {
        if (!getcwd(base, sizeof base)) return 0;
    } else {
        snprintf(link, sizeof link, "/proc/self/fd/%d", at);
        size = readlink(link, base, sizeof base - 1);
        if (size < 0) return 0;
        base[size] = 0;
    }
    snprintf(whole, sizeof whole, "%s/%s", base, path);
    return inside(whole);
}

static int file_below(int file) {
    char link[64], path[PATH_MAX];
    ssize_t size;
    if (!shared) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    size = readlink(link, path, sizeof path - 1);
    if (size < 0) return 0;
    path[size] = 0;
    return inside(path);
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static void count(int counts) {
    if (!counts) return;
    if (tells >= 0) {
        char byte = 0;
        pthread_mutex_lock(&lock);
        ++shared[0];
        if (NEXT(write)(tells, &byte, 1) != 1 || read(waits, &byte, 1) != 1) abort();
        pthread_mutex_unlock(&lock);
        return;
    }
    if (__sync_add_and_fetch(&shared[0], 1) == kill_at) {
        kill(getpid(), SIGKILL);
        pause();
    }
}

/* How many of these bytes there is room for; -1 if for none. */
static ssize_t take_room(size_t size) {
    ssize_t left = (ssize_t)size;
    pthread_mutex_lock(&lock);
    if (room >= 0 && shared[1] + (long)size > room) left = room > shared[1] ? room - shared[1] : -1;
    if (left > 0) shared[1] += left;
    pthread_mutex_unlock(&lock);
    if (left < 0) errno = ENOSPC;
    return left;
}

static int full(void) {
    if (room >= 0 && shared[1] >= room) {
        errno = ENOSPC;
        return 1;
    }
    return 0;
}

#define WRITES(flags) (((flags) & O_ACCMODE) != O_RDONLY)

#define OPEN(name)                                                                         \
    int name(const char *path, int flags, ...) {                                           \
        mode_t mode = 0;                                                                   \
        if (flags & (O_CREAT | O_TMPFILE)) {                                               \
            va_list more;                                                                  \
            va_start(more, flags);                                                         \
            mode = va_arg(more, mode_t);                                                   \
            va_end(more);                                                                  \
        }                                                                                  \
        if (WRITES(flags) && below(AT_FDCWD, path)) {                                      \
            count(1);                                                                      \
            if ((flags & O_CREAT) && full()) return -1;                                    \
        }                                                                                  \
        return NEXT(name)(path, flags, mode);                                              \
    }
OPEN(open)
OPEN(open64)

#define OPENAT(name)                                                                       \
    int name(int at, const char *path, int flags, ...) {                                   \
        mode_t mode = 0;                                                                   \
        if (flags & (O_CREAT | O_TMPFILE)) {                                               \
            va_list more;                                                                  \
            va_start(more, flags);                                                         \
            mode = va_arg(more, mode_t);                                                   \
            va_end(more);                                                                  \
        }                                                                                  \
        if (WRITES(flags) && below(at, path)) {                                            \
            count(1);                                                                      \
            if ((flags & O_CREAT) && full()) return -1;                                    \
        }                                                                                  \
        return NEXT(name)(at, path, flags, mode);                                          \
    }
OPENAT(openat)
OPENAT(openat64)

#define FOPEN(name)                                                                        \
    FILE *name(const char *path, const char *mode) {                                       \
        if (mode[0] != 'r' || strchr(mode, '+')) {                                         \
            int is_below = below(AT_FDCWD, path);                                          \
            count(is_below);                                                               \
            if (is_below && full()) return NULL;                                           \
        }                                                                                  \
        return NEXT(name)(path, mode);                                                     \
    }
FOPEN(fopen)
FOPEN(fopen64)

ssize_t write(int file, const void *data, size_t size) {
    if (file_below(file)) {
        count(1);
        ssize_t left = take_room(size);
        if (left < 0) return -1;
        size = (size_t)left;
    }
    return NEXT(write)(file, data, size);
}

ssize_t writev(int file, const struct iovec *parts, int number) {
    if (file_below(file)) {
        size_t size = 0;
        for (int i = 0; i < number; ++i) size += parts[i].iov_len;
        count(1);
        if (take_room(size) < (ssize_t)size) {
            errno = ENOSPC;
            return -1;
        }
    }
    return NEXT(writev)(file, parts, number);
}

#define PWRITE(name, offset_type)                                                          \
    ssize_t name(int file, const void *data, size_t size, offset_type at) {                \
        if (file_below(file)) {                                                            \
            count(1);                                                                      \
            ssize_t left = take_room(size);                                                \
            if (left < 0) return -1;                                                       \
            size = (size_t)left;                                                           \
        }                                                                                  \
        return NEXT(name)(file, data, size, at);                                           \
    }
PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

int fsync(int file) {
    count(file_below(file));
    return NEXT(fsync)(file);
}

int fdatasync(int file) {
    count(file_below(file));
    return NEXT(fdatasync)(file);
}

int ftruncate(int file, off_t size) {
    count(file_below(file));
    return NEXT(ftruncate)(file, size);
}

int rename(const char *from, const char *to) {
    count(below(AT_FDCWD, to));
    return NEXT(rename)(from, to);
}

int renameat(int a, const char *from, int b, const char *to) {
    count(below(b, to));
    return NEXT(renameat)(a, from, b, to);
}

int renameat2(int a, const char *from, int b, const char *to, unsigned flags) {
    count(below(b, to));
    return NEXT(renameat2)(a, from, b, to, flags);
}

int link(const char *from, const char *to) {
    count(below(AT_FDCWD, to));
    return NEXT(link)(from, to);
}

int unlink(const char *path) {
    count(below(AT_FDCWD, path));
    return NEXT(unlink)(path);
}

int unlinkat(int at, const char *path, int flags) {
    count(below(at, path));
    return NEXT(unlinkat)(at, path, flags);
}

int remove(const char *path) {
    count(below(AT_FDCWD, path));
    return NEXT(remove)(path);
}

int mkdir(const char *path, mode_t mode) {
    if (below(AT_FDCWD, path)) {
        count(1);
        if (full()) return -1;
    }
    return NEXT(mkdir)(path, mode);
}

int rmdir(const char *path) {
    count(below(AT_FDCWD, path));
    return NEXT(rmdir)(path);
}
