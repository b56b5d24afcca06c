import { createSite } from './site.js'

const site = createSite(process.env)
const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: (request) => site(request) })
console.log(`http://127.0.0.1:${server.port}`)
