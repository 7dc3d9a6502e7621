import { Figures } from '../figures/figures.tsx'
import type { Routes } from '../platform/router.tsx'
import { Revisions } from './revisions.tsx'
import { Templates } from './templates.tsx'
import { Write } from './write.tsx'
import { WriteList } from './write-list.tsx'

/** Pages for those who write. */
export const editorPages: Routes = {
  '/write': () => <WriteList />,
  '/write/templates': () => <Templates />,
  '/write/:id': ({ id = '' }) => <Write id={id} />,
  '/write/:id/revisions': ({ id = '' }) => <Revisions key={id} id={id} />,
  '/write/:id/figures': ({ id = '' }) => <Figures key={id} id={id} />,
}
