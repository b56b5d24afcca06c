export const metadata = { title: 'Tides' }

export default function Layout({ children }) {
  return (
    <html lang="en">
      <body>
        <h1>Tides</h1>
        {children}
      </body>
    </html>
  )
}
