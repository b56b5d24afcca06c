import { send } from '../api.ts'
import { keepTheme } from '../frame/theme.ts'

/** Ends this session, or all sessions of the member. The browser then forgets all that it has stored for us, as the response
 * tells it. The theme stays: it says nothing about anybody. */
export async function endSessions(path: '/sign-out' | '/sign-out-everywhere'): Promise<void> {
  await send('POST', path)
  keepTheme()
}
