// The service as most people would write it: Express and Knex, the signature checked by hand, one query, res.json(). It
// knows one application and its key. `node express.mjs PORT` with AID, PRIVATE_KEY and DATABASE.
import { createHmac, timingSafeEqual } from 'node:crypto'
import express from 'express'
import knexOf from 'knex'
import { SqliteClient } from './knex-sqlite.mjs'

const { AID: aid, PRIVATE_KEY: privateKey, DATABASE: place } = process.env
const FOREVER = 253_402_300_800
/** All currencies in these records have two decimals. */
const MINOR = 100

const knex = place.startsWith('postgres:')
  ? knexOf({
      client: 'pg',
      connection: { connectionString: place, options: '-c search_path=production' },
      pool: { min: 2, max: 10 },
    })
  : knexOf({ client: SqliteClient, connection: { filename: place }, useNullAsDefault: true })

function requireSignature(request, response, next) {
  const [id, signature = ''] = (request.headers.authorization ?? '').split(':')
  const text = `${request.method} ${request.originalUrl}`
  const expected = Buffer.from(createHmac('sha256', privateKey).update(text).digest('base64url'))
  const given = Buffer.from(signature)
  if (id === aid && given.length === expected.length && timingSafeEqual(given, expected)) next()
  else response.status(401).json({ error: { code: 'unauthorized' } })
}

const app = express()
app.use(requireSignature)
app.get('/r2/access', async (request, response) => {
  const { rid, user_ref: ref } = request.query
  const row = await knex('access as a')
    .join('user_refs as r', (join) => join.on('r.aid', 'a.aid').on('r.uid', 'a.uid'))
    .join('users as u', (join) => join.on('u.aid', 'a.aid').on('u.uid', 'a.uid'))
    .join('applications as p', 'p.aid', 'a.aid')
    .where({ 'a.aid': aid, 'a.rid': rid, 'r.ref': ref, 'a.revoked': null })
    .where('a.ends', '>', Math.floor(Date.now() / 1000))
    .select('a.*', 'u.email', 'u.contact_email', 'p.currency as app_currency')
    .first()
  if (!row) return response.status(404).json({ error: { code: 'access_not_found' } })
  const ends = Number(row.ends)
  response.json({
    id: row.id,
    aid: row.aid,
    rid: row.rid,
    uid: row.uid,
    amount: Number(row.amount) / MINOR,
    currency: row.currency ?? row.app_currency,
    created: Number(row.created),
    ...(ends === FOREVER ? {} : { expires: ends }),
    user_ref: row.user_ref ?? row.uid,
    user_email: row.email ?? '',
    contact_email: row.email === null ? (row.contact_email ?? '') : '',
    tags: JSON.parse(row.tags),
  })
})

app.listen(Number(process.argv[2]), '127.0.0.1')
