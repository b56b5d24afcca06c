// Preloaded into workers: lets another process keep the channel to the supervisor open. When the worker is killed, its
// supervisor sees that it has exited before it sees the end of the channel, as happens by chance under load.
const { spawn } = require('node:child_process')
const { isWorker } = require('node:cluster')

if (isWorker) {
  spawn('sleep', ['600'], { stdio: ['ignore', 'ignore', 'ignore', process.channel.fd] })
}
