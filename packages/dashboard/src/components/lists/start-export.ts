import { get } from '../../api.ts'
import { toastOnError } from '../overlays/toast-on-error.ts'

/** Lets the browser download an export without leaving the page. A download can't ask for a password, so a request before
 * it does. */
export function startExport(url: string): void {
  toastOnError(
    get('/confirmation').then(() => {
      const link = document.createElement('a')
      link.href = url
      link.download = ''
      link.click()
    }),
  )
}
