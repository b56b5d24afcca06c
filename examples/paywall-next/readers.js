import { cookies } from 'next/headers'

// Your site has its own accounts. These stand in for them: anybody can sign in with any address.
// Pages and handlers are separate bundles; what they share is global.
globalThis.readers ??= new Map()
const { readers } = globalThis

export async function signIn(email) {
  const session = crypto.randomUUID()
  readers.set(session, email.toLowerCase())
  const jar = await cookies()
  jar.set('session', session, { httpOnly: true, sameSite: 'lax' })
}

export async function findReader() {
  const jar = await cookies()
  return readers.get(jar.get('session')?.value)
}
