// A server of plain Node that streams one file to every client. `node plain-server.mjs PATH PORT`
import { createReadStream, statSync } from 'node:fs'
import { createServer } from 'node:http'

const [path, port] = process.argv.slice(2)
const { size } = statSync(path)

createServer((request, response) => {
  response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': size })
  if (request.method === 'HEAD') response.end()
  else createReadStream(path).pipe(response)
}).listen(Number(port), '127.0.0.1')
