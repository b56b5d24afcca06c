/** Lets the browser fetch a file and keep it, and leaves the page where it is. */
export function download(url: string): void {
  const link = document.createElement('a')
  link.href = url
  link.download = ''
  link.click()
}
