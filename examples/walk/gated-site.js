// A site behind the gate of one adapter, for tests that put a cache in front of it: node gated-site.js express.
// The cookie names the reader. Ann has access.
import { createServer } from 'node:http'
import { gate as expressGate } from '@gatehouse/sdk/express'
import { gate as fastifyGate } from '@gatehouse/sdk/fastify'
import { gate as honoGate } from '@gatehouse/sdk/hono'
import { gate as nextGate } from '@gatehouse/sdk/next'
import { fakeGatehouse } from '@gatehouse/sdk/testing'
import { gate as workerGate } from '@gatehouse/sdk/worker'
import express from 'express'
import Fastify from 'fastify'
import { Hono } from 'hono'

const gatehouse = fakeGatehouse()
gatehouse.allow('ann', 'news')
gatehouse.offer('news', { amount: 3 })

const PUBLIC = { 'Cache-Control': 'public, max-age=60' }
const VARY = { Vary: 'Accept-Language' }
const readerIn = (cookie) => /reader=(\w+)/.exec(cookie ?? '')?.[1]
const teaserOf = ({ checkoutUrl }) => `Buy it: ${checkoutUrl ?? 'sign in first'}`
const PAID = 'the paid text'
const BROKEN = { rid: () => Promise.reject(new Error('broken')) }

function startExpress() {
  const app = express()
  const page = (path, options, headers = {}) => {
    const userRef = (req) => readerIn(req.headers.cookie)
    const paywall = expressGate({ gatehouse, rid: 'news', userRef, ...options })
    app.get(path, paywall, (_, res) => res.set(headers).send(PAID))
  }
  app.use((_, res, next) => next(res.set({ ...PUBLIC, ...VARY }) && undefined))
  app.get('/free', (_, res) => res.send('for everybody'))
  page('/default', {})
  page('/teaser', { denied: (decision, _, res) => res.send(teaserOf(decision)) })
  page('/introduction', { denied: (_, _req, _res, next) => next() })
  page('/own', { denied: (_, _req, res) => res.set(PUBLIC).send('teaser') }, PUBLIC)
  page('/broken', BROKEN)
  // The last one: answers errors as the site likes.
  app.use((_error, _req, res, _next) => res.status(500).send('broken'))
  return createServer(app)
}

async function startFastify() {
  const app = Fastify()
  const page = (path, options, headers = {}) => {
    const userRef = (request) => readerIn(request.headers.cookie)
    const preHandler = fastifyGate({ gatehouse, rid: 'news', userRef, ...options })
    app.get(path, { preHandler }, async (_, reply) => reply.headers(headers).send(PAID))
  }
  app.addHook('onRequest', async (_, reply) => {
    reply.headers({ ...PUBLIC, ...VARY })
  })
  app.get('/free', async () => 'for everybody')
  page('/default', {})
  page('/teaser', { denied: (decision, _, reply) => reply.send(teaserOf(decision)) })
  page('/introduction', { denied: () => undefined })
  page('/own', { denied: (_, _request, reply) => reply.headers(PUBLIC).send('teaser') }, PUBLIC)
  page('/broken', BROKEN)
  await app.ready()
  return app.server
}

function startHono() {
  const app = new Hono()
  const page = (path, options, headers = {}) => {
    const userRef = (c) => readerIn(c.req.header('cookie'))
    const paywall = honoGate({ gatehouse, rid: 'news', userRef, ...options })
    app.get(path, paywall, (c) => c.text(PAID, 200, headers))
  }
  app.use(async (c, next) => {
    for (const [name, value] of Object.entries({ ...PUBLIC, ...VARY })) c.header(name, value)
    await next()
  })
  app.get('/free', (c) => c.text('for everybody'))
  page('/default', {})
  page('/teaser', { denied: (decision, c) => c.text(teaserOf(decision)) })
  page('/introduction', { denied: (_, _c, next) => next() })
  page('/own', { denied: (_, c) => c.text('teaser', 200, PUBLIC) }, PUBLIC)
  page('/broken', BROKEN)
  // Takes nothing from the context, so not the headers that the gate has set there.
  page('/response', { denied: (decision) => new Response(teaserOf(decision)) })
  app.onError((_, c) => c.text('broken', 500))
  return serve((request) => app.fetch(request))
}

function startWorker(gate) {
  const OWN = { ...PUBLIC, ...VARY }
  const pages = new Map([['/free', () => new Response('for everybody', { headers: PUBLIC })]])
  const page = (path, options, headers = {}) => {
    const userRef = (request) => readerIn(request.headers.get('cookie'))
    const answer = () => new Response(PAID, { headers: { ...headers, ...VARY } })
    pages.set(path, gate({ gatehouse, rid: 'news', userRef, ...options }, answer))
  }
  page('/default', {})
  page('/teaser', { denied: (decision) => new Response(teaserOf(decision)) })
  page('/introduction', { denied: () => undefined })
  page('/own', { denied: () => new Response('teaser', { headers: OWN }) }, PUBLIC)
  page('/broken', BROKEN)
  return serve((request) => pages.get(new URL(request.url).pathname)(request))
}

/** Serves a function from `Request` to `Response` on Node. */
function serve(answer) {
  return createServer(async (incoming, outgoing) => {
    const { url, headers } = incoming
    try {
      const response = await answer(new Request(`http://localhost${url}`, { headers }))
      outgoing.writeHead(response.status, Object.fromEntries(response.headers))
      outgoing.end(await response.text())
    } catch {
      outgoing.writeHead(500).end('broken')
    }
  })
}

const STARTS = {
  express: startExpress,
  fastify: startFastify,
  hono: startHono,
  next: () => startWorker(nextGate),
  worker: () => startWorker(workerGate),
}

const server = await STARTS[process.argv[2]]()
server.listen(0, '127.0.0.1', () => {
  console.log(`The site is at http://127.0.0.1:${server.address().port} now`)
})
