// The least that a plain Node server can do: the same response to every request. `node bare.mjs PORT BODY`
import { createServer } from 'node:http'

const [port, body] = process.argv.slice(2)
// The cheapest form: headers as an array, and a text of one byte a character.
const headers = [
  ...['content-type', 'application/json; charset=utf-8'],
  ...['content-length', String(Buffer.byteLength(body))],
]
if (Buffer.byteLength(body) !== body.length) throw new Error('the text is not ASCII')

createServer((_request, response) => {
  response.writeHead(200, headers)
  response.end(body, 'latin1')
}).listen(Number(port), '127.0.0.1')
