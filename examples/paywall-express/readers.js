import { randomUUID } from 'node:crypto'

// Your site has its own accounts. These stand in for them: anybody can sign in with any address.
const readers = new Map()

export function signIn(req, res) {
  const session = randomUUID()
  readers.set(session, req.body.email.toLowerCase())
  res.cookie('session', session, { httpOnly: true, sameSite: 'lax' }).redirect(303, '/')
}

export function findReader(req, _res, next) {
  const [, session] = /(?:^|; )session=([^;]+)/.exec(req.headers.cookie ?? '') ?? []
  req.reader = readers.get(session)
  next()
}

export function requireReader(req, res, next) {
  if (req.reader) next()
  else res.redirect(303, '/')
}
