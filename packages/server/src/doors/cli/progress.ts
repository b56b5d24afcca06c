import { showBytes } from './bytes.ts'

const WIDTH = 30

export interface ProgressBar {
  show(done: number): void
  end(): void
}

/** A bar on standard error, drawn only where somebody can see it. */
export function progressBar(
  total: number,
  describe = (done: number) => `${done} of ${total}`,
): ProgressBar {
  if (!process.stderr.isTTY) return { show() {}, end() {} }
  return {
    show(done) {
      const full = total === 0 ? WIDTH : Math.round((Math.min(done, total) / total) * WIDTH)
      const bar = '#'.repeat(full).padEnd(WIDTH, '.')
      const line = `[${bar}] ${describe(done)}`
      // A line that is broken by the edge could not be drawn over.
      const seen = line.slice(0, (process.stderr.columns || 80) - 1)
      process.stderr.write(`\r${seen}\x1b[K`)
    },
    end() {
      process.stderr.write('\r\x1b[K')
    },
  }
}

/** As often as an eye can follow: bytes come in by the thousand times a second. */
const REDRAW_MS = 100

/** How much of so many bytes there is, and how fast they come. */
export function byteBar(total: number): ProgressBar {
  const began = performance.now()
  let drawn = 0
  const bar = progressBar(total, (done) => {
    const percent = total === 0 ? 100 : Math.floor((done / total) * 100)
    const rate = done / Math.max((performance.now() - began) / 1000, 0.001)
    return `${percent} %, ${showBytes(done)} of ${showBytes(total)}, ${showBytes(rate)}/s`
  })
  return {
    show(done) {
      const now = performance.now()
      if (done < total && now - drawn < REDRAW_MS) return
      drawn = now
      bar.show(done)
    },
    end: bar.end,
  }
}
