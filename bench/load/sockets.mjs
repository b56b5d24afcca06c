// A client with plain Node sockets: at a fixed rate for delays at half load, and as fast as possible if wrk is missing.
// One request at a time on each connection.
import { closeSync, openSync, readSync } from 'node:fs'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { percentile } from '../statistics.mjs'

/** Reads this many lines of a file of requests, in the form in which they are sent. */
export function readRequests({ path, width, lines }, first, count) {
  const room = Buffer.alloc(Math.min(count, lines - first) * width)
  const file = openSync(path, 'r')
  readSync(file, room, 0, room.length, first * width)
  closeSync(file)
  const texts = room.toString('latin1').trimEnd().split('\n')
  return texts.map((line) => {
    const [target, authorization, body] = line.split(' ')
    const head = `Host: 127.0.0.1\r\nAuthorization: ${authorization}\r\n`
    if (!body) return Buffer.from(`GET ${target} HTTP/1.1\r\n${head}\r\n`, 'latin1')
    const form = `Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n`
    return Buffer.from(`POST ${target} HTTP/1.1\r\n${head}${form}\r\n${body}`, 'latin1')
  })
}

const HEAD_ENDS = '\r\n\r\n'

/** Reports for every complete response on a connection whether it was a 200. */
function listenFor(socket, onAnswer) {
  let waiting = ''
  socket.on('data', (chunk) => {
    waiting += chunk.toString('latin1')
    for (;;) {
      const end = waiting.indexOf(HEAD_ENDS)
      if (end === -1) return
      const length = /^content-length: *(\d+)/im.exec(waiting.slice(0, end))
      const whole = end + HEAD_ENDS.length + Number(length?.[1] ?? 0)
      if (waiting.length < whole) return
      const isGood = waiting.startsWith('HTTP/1.1 200')
      waiting = waiting.slice(whole)
      onAnswer(isGood)
    }
  })
}

async function openSockets(port, count) {
  const sockets = Array.from({ length: count }, () =>
    connect({ port, host: '127.0.0.1', noDelay: true }),
  )
  await Promise.all(
    sockets.map((socket) => new Promise((resolve) => socket.once('connect', resolve))),
  )
  return sockets
}

/** Connections that send requests one after the other, and record how long each took. */
function makeCrew(sockets, texts, onFree) {
  const crew = { delays: [], refused: 0, failed: 0, longestPause: 0 }
  let next = 0
  crew.send = (socket, since) => {
    socket.since = since
    socket.write(texts[next++ % texts.length])
  }
  for (const socket of sockets) {
    socket.on('error', () => crew.failed++)
    listenFor(socket, (isGood) => {
      crew.delays.push(performance.now() - socket.since)
      if (!isGood) crew.refused++
      onFree(socket)
    })
  }
  return crew
}

/** Sends on every connection that is free. */
function sendAlways(sockets, texts) {
  const crew = makeCrew(sockets, texts, (socket) => crew.send(socket, performance.now()))
  for (const socket of sockets) crew.send(socket, performance.now())
  return crew
}

/** Sends requests when they are due; the time that a request waits for a free connection counts too. */
function sendWhenDue(sockets, texts, perSecond) {
  const [due, free] = [[], [...sockets]]
  const crew = makeCrew(sockets, texts, (socket) => {
    if (due.length > 0) crew.send(socket, due.shift())
    else free.push(socket)
  })
  const began = performance.now()
  let planned = 0
  let before = began
  const tick = () => {
    if (crew.isOver) return
    const now = performance.now()
    crew.longestPause = Math.max(crew.longestPause, now - before)
    before = now
    const wanted = ((now - began) / 1000) * perSecond
    for (; planned < wanted; planned++) due.push(began + (planned / perSecond) * 1000)
    while (due.length > 0 && free.length > 0) crew.send(free.pop(), due.shift())
    setImmediate(tick)
  }
  tick()
  return crew
}

/** Sends for this many seconds, as fast as responses come or at a fixed rate. Calls `onReady` before the clock runs. */
export async function sendBySockets(options, onReady = () => {}) {
  const { port, requests, first, count, connections, seconds, perSecond } = options
  const texts = readRequests(requests, first, count)
  const sockets = await openSockets(port, connections)
  onReady()
  const began = performance.now()
  const crew =
    perSecond === undefined ? sendAlways(sockets, texts) : sendWhenDue(sockets, texts, perSecond)
  await sleep(seconds * 1000)
  crew.isOver = true
  for (const socket of sockets) socket.destroy()
  const took = (performance.now() - began) / 1000
  const sorted = Float64Array.from(crew.delays).sort()
  return {
    perSecond: sorted.length / took,
    answers: sorted.length,
    failed: crew.failed,
    refused: crew.refused,
    p50: percentile(sorted, 0.5),
    p99: percentile(sorted, 0.99),
    longestPause: crew.longestPause,
  }
}
