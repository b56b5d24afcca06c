import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { onSignedOut } from './api.ts'
import { queryClient } from './query-client.ts'
import { router } from './router.tsx'

/** When the session has ended, shows the sign-in page and returns here afterwards. Clears all loaded data, because the
 * next person at this browser may be somebody else. */
onSignedOut(() => {
  const { pathname, searchStr } = router.state.location
  const back = `${pathname}${searchStr}`
  if (pathname !== '/sign-in') {
    const isStart = back === '/' || pathname === '/sign-out'
    void router.navigate({ to: '/sign-in', search: (isStart ? {} : { back }) as never })
  }
  queryClient.clear()
})

createRoot(document.getElementById('app') as HTMLElement).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
)
