import { useState } from 'preact/hooks'
import type { User } from '../../../../gen/client/auth.ts'
import { useAction } from '../platform/action.ts'
import { loadSession, platform } from '../platform/session.ts'
import { useTexts } from '../platform/texts.ts'
import { Button, Form, TextField } from '../ui/controls.tsx'
import { notify, Problem } from '../ui/feedback.tsx'
import { FileButton } from '../ui/file-button.tsx'
import { Avatar } from '../ui/people.tsx'
import { UploadList, useUploads } from '../ui/uploads.tsx'

/** Names and picture, as colleagues see them. */
export function Profile({ user }: { user: User }) {
  const t = useTexts('account/profile')
  const [firstName, setFirstName] = useState(user.firstName ?? '')
  const [lastName, setLastName] = useState(user.lastName ?? '')
  const uploads = useUploads('profiles')
  const save = useAction(async () => {
    await platform.auth.updateMe({ body: { firstName, lastName } })
    await loadSession()
    notify(t.saved)
  })
  const picture = useAction(async (address: string | null) => {
    await platform.auth.updateMe({ body: { photo_url: address } })
    await loadSession()
    notify(t.saved)
  })
  return (
    <section class="card">
      <h2>{t.title}</h2>
      <div class="account-picture">
        <Avatar person={user} size={72} />
        <div>
          <div class="actions">
            <FileButton
              text={t.picture}
              accept="image/jpeg,image/png,image/webp"
              class="small"
              onFile={file => uploads.add([file], ({ fileUrl }) => void picture.run(fileUrl), 'pictures')}
            />
            {user.photo_url && (
              <Button look="quiet" class="small" onClick={() => void picture.run(null)}>
                {t.remove}
              </Button>
            )}
          </div>
          <p class="hint">{t.pictureHint}</p>
          <UploadList uploads={uploads} />
        </div>
      </div>
      <Problem error={picture.error ?? save.error} />
      <Form onSubmit={() => void save.run()}>
        <TextField
          label={t.firstName}
          error={save.fields['firstName']}
          autocomplete="given-name"
          maxLength={255}
          value={firstName}
          onValue={setFirstName}
        />
        <TextField
          label={t.lastName}
          error={save.fields['lastName']}
          autocomplete="family-name"
          maxLength={255}
          value={lastName}
          onValue={setLastName}
        />
        <div class="actions">
          <Button look="main" type="submit" isBusy={save.isRunning}>
            {t.save}
          </Button>
        </div>
      </Form>
    </section>
  )
}
