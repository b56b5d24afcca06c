import { formatBytes } from './bytes.ts'

const WIDTH = 30

export interface ProgressBar {
  show(done: number): void
  end(): void
}

/** Draws a progress bar on standard error if that is a terminal; otherwise does nothing. */
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
      // A line that wraps at the terminal's edge could not be overwritten.
      const seen = line.slice(0, (process.stderr.columns || 80) - 1)
      process.stderr.write(`\r${seen}\x1b[K`)
    },
    end() {
      process.stderr.write('\r\x1b[K')
    },
  }
}

/** Minimum time between two redraws: chunks may arrive thousands of times a second. */
const REDRAW_MS = 100

/** A progress bar for bytes, with percentage and speed. */
export function createByteProgressBar(total: number): ProgressBar {
  const began = performance.now()
  let drawn = 0
  const bar = progressBar(total, (done) => {
    const percent = total === 0 ? 100 : Math.floor((done / total) * 100)
    const rate = done / Math.max((performance.now() - began) / 1000, 0.001)
    return `${percent} %, ${formatBytes(done)} of ${formatBytes(total)}, ${formatBytes(rate)}/s`
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
