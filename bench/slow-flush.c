/* Loaded before the C library by LD_PRELOAD: a flush takes 5 ms longer, as on a real disk. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <time.h>

static void wait_a_little(void) {
  struct timespec pause = {0, 5 * 1000 * 1000};
  nanosleep(&pause, 0);
}

int fsync(int file) {
  int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
  wait_a_little();
  return real(file);
}

int fdatasync(int file) {
  int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
  wait_a_little();
  return real(file);
}
