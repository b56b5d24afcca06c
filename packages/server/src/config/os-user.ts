import { currentUser } from '../permissions.ts'

/** The user of the operating system who runs this process. With `sudo -u gatehouse`, that is `gatehouse` for everybody, so
 * the one who called `sudo` is added. */
export function osUser(): string {
  const sudo = process.env.SUDO_USER
  return sudo ? `${currentUser()} (sudo ${sudo})` : currentUser()
}
