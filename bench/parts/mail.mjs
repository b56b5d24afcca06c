// Measures how fast a long queue of notifications is sent to a mail server that takes some time to accept each, and how
// long the mail of a single grant takes meanwhile.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { encodeParameters } from '@gatehouse/sdk/signing'
import { roundsOf } from '../limits.mjs'
import { signer } from '../load/requests.mjs'
import { askHome, changeHome, openHome, removeHome } from '../records/homes.mjs'
import { processorSeconds, startGatehouse } from '../services.mjs'
import { spread } from '../statistics.mjs'

const RECORDS = 10_000
const MAILS = 100_000
const PROBES_PER_ROUND = 4

const WAYS = [
  { name: '20 ms', latencyMs: 20, connections: 20 },
  { name: '50 ms', latencyMs: 50, connections: 20 },
  { name: '50 ms, 64 connections', latencyMs: 50, connections: 64 },
  { name: '50 ms, one connection', latencyMs: 50, connections: 1 },
]

const SERVER = fileURLToPath(new URL('../mail/smtp-server.mjs', import.meta.url))

async function startMailServer(latencyMs) {
  const child = fork(SERVER, [String(latencyMs)])
  const [{ port }] = await once(child, 'message')
  return {
    url: `smtp://127.0.0.1:${port}`,
    /** What the server has seen, as soon as it has accepted so many mails. */
    async look(accepted = 0) {
      const answered = once(child, 'message')
      child.send({ mails: accepted })
      return (await answered)[0]
    },
    async stop() {
      const ended = once(child, 'exit')
      child.disconnect()
      await ended
    },
  }
}

/** Two readers in five have an address at one domain, the others at one of 30. */
const DOMAIN = `case when k % 5 < 2 then 'mail.example' else 'mail' || (k % 30) || '.example' end`

/** Queues notifications of an import, to readers who have access. */
const queueMails = (now) => `
  with recursive n (k) as (select 0 union all select k + 1 from n where k < ${MAILS / RECORDS - 1}),
    a as (select aid, uid, rid, row_number() over (order by aid, id) as r from access limit ${RECORDS}),
    m as (select a.*, a.r * ${MAILS / RECORDS} + n.k as k from a cross join n)
  insert into outbox (id, key, aid, uid, kind, recipient, payload, status, attempts, created, due, priority)
  select 'mail' || k, 'bench:' || k, aid, uid, 'grant', 'reader' || k || '@' || ${DOMAIN},
    '{"rid":"' || rid || '","resource":"Winter issue","url":"https://magazine.example/winter","message":"Enjoy it.","first_name":"Ann","ends":9999999999}',
    'queued', 0, ${now}, ${now}, 2 from m`

/** Grants access to a new reader. Returns when it was answered. */
async function grant(home, port, email) {
  const request = encodeParameters({ rid: home.rid, email })
  const { target, authorization, body } = signer(home)('POST', '/r2/access/grant', request)
  const headers = { authorization, 'content-type': 'application/x-www-form-urlencoded' }
  const response = await fetch(`http://127.0.0.1:${port}${target}`, {
    method: 'POST',
    headers,
    body,
  })
  if (response.status !== 200) throw new Error(`a grant was answered with ${response.status}`)
  return Date.now()
}

async function measureRound({ home, service, mails, seconds, name }) {
  const [before, processor] = [await mails.look(), processorSeconds(service.pid)]
  const began = performance.now()
  const answered = new Map()
  for (let n = 0; n < PROBES_PER_ROUND; n++) {
    const email = `${name}-${n}@probe.example`
    answered.set(email, await grant(home, service.port, email))
    await sleep((seconds * 1000) / PROBES_PER_ROUND)
  }
  const after = await mails.look(before.accepted + 1)
  const took = (performance.now() - began) / 1000
  const sent = after.accepted - before.accepted
  return {
    perSecond: sent / took,
    processorMs: ((processorSeconds(service.pid) - processor) * 1000) / sent,
    delays: [...answered].map(([email, at]) => (after.probes[email] ?? Infinity) - at),
  }
}

async function measureWay({ home, way, settings, limit }) {
  const mails = await startMailServer(way.latencyMs)
  const service = await startGatehouse(home, {
    settings: {
      GATEHOUSE_SMTP_URL: mails.url,
      GATEHOUSE_MAIL_PER_SECOND: '10000',
      GATEHOUSE_MAIL_CONNECTIONS: String(way.connections),
      GATEHOUSE_LOG_LEVEL: 'warn',
    },
  })
  try {
    const rounds = []
    for (const { number, seconds, counts } of roundsOf(settings, limit)) {
      const name = `${way.latencyMs}-${way.connections}-${number}`
      const round = await measureRound({ home, service, mails, seconds, name })
      if (counts) rounds.push(round)
    }
    const { mostOpen } = await mails.look()
    if (mostOpen > way.connections + 1) throw new Error(`${mostOpen} connections were open`)
    return {
      name: way.name,
      perSecond: spread(rounds.map(({ perSecond }) => perSecond)),
      processorMs: spread(rounds.map(({ processorMs }) => processorMs)),
      delay: spread(rounds.flatMap(({ delays }) => delays)),
    }
  } finally {
    await service.stop()
    await mails.stop()
  }
}

async function requireNoneFailed(home) {
  const [{ n }] = await askHome(home, `select count(*) as n from outbox where status = 'dead'`)
  if (Number(n) > 0) throw new Error(`${n} mails have failed`)
}

export async function measureMails({ engine, server, settings, limit }) {
  const home = await openHome(engine, RECORDS, { mark: 'mails', ...(server ? { server } : {}) })
  try {
    await changeHome(home, queueMails(Date.now()))
    const [{ rid }] = await askHome(
      home,
      `select rid from resources where aid = '${home.aid}' limit 1`,
    )
    const ways = []
    for (const way of WAYS) {
      ways.push(await measureWay({ home: { ...home, rid }, way, settings, limit }))
    }
    await requireNoneFailed(home)
    return { ways }
  } finally {
    await removeHome(home)
  }
}
