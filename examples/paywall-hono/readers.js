import { env } from 'cloudflare:workers'
import { getSignedCookie, setSignedCookie } from 'hono/cookie'

// Your site has its own accounts. These stand in for them: anybody can sign in with any address.

export async function signIn(c) {
  const { email } = await c.req.parseBody()
  const options = { httpOnly: true, sameSite: 'Lax' }
  await setSignedCookie(c, 'reader', email.toLowerCase(), env.SESSION_SECRET, options)
  return c.redirect('/', 303)
}

export const findReader = async (c) =>
  (await getSignedCookie(c, env.SESSION_SECRET, 'reader')) || undefined
