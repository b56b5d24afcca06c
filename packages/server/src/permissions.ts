import { statSync } from 'node:fs'
import { userInfo } from 'node:os'

/** The name of the user who runs this process. */
export function currentUser(): string {
  try {
    return userInfo().username
  } catch {
    // The user has no entry in /etc/passwd, as in some containers.
    return String(process.geteuid?.() ?? 'this user')
  }
}

/** Returns why a file or folder can't be used. If its permissions are the reason, it also says whose, and what to do. */
export function describeFileError(error: unknown, path: string): string {
  const { code, message } = error as NodeJS.ErrnoException
  if (code !== 'EACCES' && code !== 'EPERM') return message
  const user = currentUser()
  return (
    `${message}; this runs as the user ${user}, who has no permission: run it as the user who owns it, ` +
    `or change the owner with: chown -R ${user}: ${path}`
  )
}

/** Whether a file exists. Unlike `existsSync`, it throws if this user may not look into the folder. */
export function fileExists(path: string): boolean {
  try {
    statSync(path)
    return true
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return false
    throw error
  }
}

/** Whether every user of the machine may read a file. Windows has no such modes: the permissions of the folder apply. */
export function isReadableByOthers(path: string): boolean {
  if (process.platform === 'win32') return false
  const stats = statSync(path, { throwIfNoEntry: false })
  return stats !== undefined && (stats.mode & 0o004) !== 0
}
