// Preloaded into a server whose memory is measured: SIGUSR2 makes V8 collect all garbage and give free pages back.
import { Session } from 'node:inspector'

const session = new Session()
session.connect()
process.on('SIGUSR2', () => session.post('HeapProfiler.collectGarbage'))
