// A mail server that accepts every mail some milliseconds after it has arrived: `node smtp-server.mjs LATENCY_MS`.
// Asked by a message for a number of mails, it says as soon as it has accepted so many how many there are, and when those
// to addresses at probe.example came.
import { createServer } from 'node:net'

const latencyMs = Number(process.argv[2])
let accepted = 0
let open = 0
let mostOpen = 0
const probes = {}
let asked

const REPLIES = {
  EHLO: '250 bench.example',
  HELO: '250 bench.example',
  MAIL: '250 OK',
  RCPT: '250 OK',
  RSET: '250 OK',
  NOOP: '250 OK',
  DATA: '354 go ahead',
  QUIT: '221 bye',
}
const END = '\r\n.\r\n'

/** Answers what was asked, if so many mails have been accepted. */
function answer() {
  if (asked === undefined || accepted < asked) return
  asked = undefined
  process.send({ accepted, mostOpen, probes })
}

function serve(socket) {
  let received = ''
  let isData = false
  let recipient = ''
  const reply = (text) => socket.writable && socket.write(`${text}\r\n`)

  function accept() {
    accepted++
    if (recipient.endsWith('@probe.example')) probes[recipient] = Date.now()
    reply('250 accepted')
    answer()
  }

  /** Reads one command or one mail. Returns false if it has not arrived completely. */
  function readNext() {
    const end = received.indexOf(isData ? END : '\r\n')
    if (end < 0) return false
    const text = received.slice(0, end)
    received = received.slice(end + (isData ? END.length : 2))
    if (isData) {
      isData = false
      setTimeout(accept, latencyMs)
      return true
    }
    const command = text.slice(0, 4).toUpperCase()
    if (command === 'RCPT') recipient = /<([^>]*)>/.exec(text)?.[1] ?? ''
    isData = command === 'DATA'
    reply(REPLIES[command] ?? '500 unknown')
    if (command === 'QUIT') socket.end()
    return true
  }

  mostOpen = Math.max(mostOpen, ++open)
  socket.setEncoding('latin1').setNoDelay(true)
  socket.on('data', (text) => {
    received += text
    while (readNext());
  })
  socket.on('close', () => open--).on('error', () => {})
  reply('220 bench.example')
}

const server = createServer(serve)
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }))
process.on('message', ({ mails }) => {
  asked = mails
  answer()
})
process.on('disconnect', () => process.exit())
