import { userInfo } from 'node:os'

/** The user of the operating system who runs this process. With `sudo -u gatehouse`, that is `gatehouse` for everybody, so
 * the one who called `sudo` is added. */
export function osUser(): string {
  const sudo = process.env.SUDO_USER
  return sudo ? `${ownName()} (sudo ${sudo})` : ownName()
}

/** In a container, the user may have no name. */
function ownName(): string {
  try {
    return userInfo().username
  } catch {
    return `uid ${process.getuid?.()}`
  }
}
