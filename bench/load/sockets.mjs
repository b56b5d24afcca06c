// A client of Node's own sockets: at a set pace for delays at half load, and as fast as it goes where there is
// no wrk. One request at a time on each connection.
import { closeSync, openSync, readSync } from 'node:fs'
import { connect } from 'node:net'
import { percentile } from '../statistics.mjs'

/** So many lines of a file of requests, as they go over the wire. */
function readRequests({ path, width, lines }, first, count) {
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

/** Tells of every whole answer on a connection whether it was a 200. */
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

/**
 * Sends for so many seconds. With `perSecond` requests come at that pace whether or not there was an answer, and a
 * delay counts from the moment that a request was due, also while it waits for a free connection.
 */
export async function sendBySockets({
  port,
  requests,
  first,
  count,
  connections,
  seconds,
  perSecond,
}) {
  const texts = readRequests(requests, first, count)
  const sockets = await openSockets(port, connections)
  const delays = []
  const due = []
  const free = []
  let [next, refused, failed, isOver] = [0, 0, 0, false]
  const sendOn = (socket, since) => {
    socket.since = since
    socket.write(texts[next++ % texts.length])
  }
  const goOn = (socket) => {
    if (isOver) return
    if (perSecond === undefined) sendOn(socket, performance.now())
    else if (due.length > 0) sendOn(socket, due.shift())
    else free.push(socket)
  }
  for (const socket of sockets) {
    socket.on('error', () => failed++)
    listenFor(socket, (isGood) => {
      delays.push(performance.now() - socket.since)
      if (!isGood) refused++
      goOn(socket)
    })
  }
  const began = performance.now()
  for (const socket of sockets) goOn(socket)
  const tick = () => {
    for (const planned = ((performance.now() - began) / 1000) * perSecond; tick.sent < planned; ) {
      due.push(began + (tick.sent++ / perSecond) * 1000)
      const socket = free.pop()
      if (socket) sendOn(socket, due.shift())
    }
    if (!isOver) setImmediate(tick)
  }
  tick.sent = 0
  if (perSecond !== undefined) tick()
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
  isOver = true
  const took = (performance.now() - began) / 1000
  for (const socket of sockets) socket.destroy()
  const sorted = Float64Array.from(delays).sort()
  return {
    perSecond: delays.length / took,
    answers: delays.length,
    failed,
    refused,
    p50: percentile(sorted, 0.5),
    p99: percentile(sorted, 0.99),
  }
}
