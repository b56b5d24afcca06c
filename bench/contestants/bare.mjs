// The least that a plain Node server can do: the same response to every request. `node bare.mjs PORT BODY`
import { createServer } from 'node:http'

const [port, body] = process.argv.slice(2)
const headers = {
  'content-type': 'application/json; charset=utf-8',
  'content-length': Buffer.byteLength(body),
}

createServer((_request, response) => {
  response.writeHead(200, headers)
  response.end(body)
}).listen(Number(port), '127.0.0.1')
