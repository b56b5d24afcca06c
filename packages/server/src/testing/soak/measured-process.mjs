// Preloaded into servers whose memory is measured.
import { Session } from 'node:inspector'
import { register } from 'node:module'
import { BroadcastChannel, isMainThread } from 'node:worker_threads'

// SIGUSR2 makes V8 collect all garbage, that of worker threads too, and give free pages back.
const session = new Session()
session.connect()
const collect = () => session.post('HeapProfiler.collectGarbage')

// Only the main thread receives signals.
const channel = new BroadcastChannel('collect garbage')
if (isMainThread) {
  process.on('SIGUSR2', () => {
    collect()
    channel.postMessage('')
  })
} else {
  channel.onmessage = collect
}
channel.unref()

// SQLite's page caches stay small.
register('./sqlite-hooks.mjs', import.meta.url)
