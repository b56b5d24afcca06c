/** What a process says about how it was started. */
type Process = Pick<NodeJS.Process, 'pid' | 'ppid' | 'env'> & {
  stdin: { isTTY?: boolean }
  stdout: { isTTY?: boolean }
}

/**
 * Whether a person reads what a start prints. A container with a terminal (`docker run -t`) and a unit of systemd with one keep
 * it as a log, which others may read: there, nobody can type, or the process is the first one, a child of the first one, or has
 * the id with which systemd marks what it starts.
 */
export function isInteractive({ pid, ppid, env, stdin, stdout }: Process): boolean {
  if (stdin.isTTY !== true || stdout.isTTY !== true) return false
  return pid !== 1 && ppid !== 1 && env.INVOCATION_ID === undefined
}
