import type { User } from '../../../../gen/client/auth.ts'
import { useAction } from '../platform/action.ts'
import { loadSession, platform } from '../platform/session.ts'
import { useTexts } from '../platform/texts.ts'
import { TextField } from '../ui/controls.tsx'
import { notify, Problem } from '../ui/feedback.tsx'
import { ActionForm, useFields } from '../ui/form.tsx'
import { Avatar } from '../ui/people.tsx'
import { PictureRow } from '../ui/picture-row.tsx'

/** Names and picture, as colleagues see them. */
export function Profile({ user }: { user: User }) {
  const t = useTexts('account/profile')
  const { values, field } = useFields({ firstName: user.firstName ?? '', lastName: user.lastName ?? '' })
  const update = async (body: { firstName: string; lastName: string } | { photo_url: string | null }) => {
    await platform.auth.updateMe({ body })
    await loadSession()
    notify(t.saved)
  }
  const save = useAction(() => update(values))
  const savePicture = useAction((photo_url: string | null) => update({ photo_url }))
  return (
    <section class="card">
      <h2>{t.title}</h2>
      <PictureRow
        folder="profiles"
        texts={{ choose: t.picture, remove: t.remove, hint: t.pictureHint }}
        mayRemove={Boolean(user.photo_url)}
        onPicture={address => void savePicture.run(address)}
      >
        <Avatar person={user} size={72} />
      </PictureRow>
      <Problem error={savePicture.error} />
      <ActionForm action={save} submit={t.save}>
        <TextField label={t.firstName} {...field('firstName', save)} autocomplete="given-name" maxLength={255} />
        <TextField label={t.lastName} {...field('lastName', save)} autocomplete="family-name" maxLength={255} />
      </ActionForm>
    </section>
  )
}
