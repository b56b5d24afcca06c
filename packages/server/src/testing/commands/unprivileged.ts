/** The user `nobody` of Linux. */
const NOBODY = 65_534

/** Runs `work` as a user to whom file permissions apply: root may read everything. */
export async function asUnprivileged<R>(work: () => Promise<R>): Promise<R> {
  if (process.geteuid?.() !== 0) return await work()
  process.seteuid?.(NOBODY)
  try {
    return await work()
  } finally {
    process.seteuid?.(0)
  }
}
