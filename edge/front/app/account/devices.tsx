import type { Session } from '../../../../gen/client/auth.ts'
import { useAction } from '../platform/action.ts'
import { useLoad } from '../platform/load.ts'
import { platform } from '../platform/session.ts'
import { fill, timeAgo, useTexts } from '../platform/texts.ts'
import { Button } from '../ui/controls.tsx'
import { Loaded, notify, Problem } from '../ui/feedback.tsx'
import { Icon } from '../ui/icon.tsx'
import { Card } from '../ui/page.tsx'

/** What the platform calls a device. */
const kinds = ['computer', 'phone', 'tablet'] as const

/** The person's sessions, each of which can be ended from here. */
export function Devices() {
  const t = useTexts('account/devices')
  const load = useLoad('sessions', signal => platform.auth.listMySessions({}, { signal }))
  const { reload, change } = load
  const end = useAction(async (id: string) => {
    await platform.auth.endMySession({ id })
    change(list => ({ ...list, data: list.data.filter(one => one.id !== id) }))
    notify(t.ended)
    void reload()
  })
  const endOthers = useAction(async () => {
    await platform.auth.endMyOtherSessions()
    await reload()
    notify(t.ended)
  })
  const nameOf = ({ deviceInfo }: Session): string => {
    const kind = kinds.find(one => one === deviceInfo?.device)
    return [kind && t[kind], deviceInfo?.os].filter(Boolean).join(' · ') || t.unknown
  }
  return (
    <Card title={t.title}>
      <p>{t.text}</p>
      <Problem error={end.error ?? endOthers.error} />
      <Loaded load={load}>
        {({ data }) => (
          <>
            <ul class="devices">
              {data.map(device => (
                <li key={device.id} class="row">
                  <Icon name={device.deviceInfo?.device === 'computer' ? 'computer' : 'device'} />
                  <div class="grow">
                    <strong>{nameOf(device)}</strong>
                    <p class="hint">
                      {device.isCurrent
                        ? t.here
                        : [
                            device.deviceInfo?.ip,
                            device.lastActivity && fill(t.active, { ago: timeAgo(device.lastActivity) }),
                          ]
                            .filter(Boolean)
                            .join(' · ')}
                    </p>
                  </div>
                  {!device.isCurrent && (
                    <Button
                      class="small"
                      aria-label={fill(t.endNamed, { name: nameOf(device) })}
                      onClick={() => void end.run(device.id)}
                    >
                      {t.end}
                    </Button>
                  )}
                </li>
              ))}
            </ul>
            {data.some(({ isCurrent }) => !isCurrent) && <Button action={endOthers}>{t.endOthers}</Button>}
          </>
        )}
      </Loaded>
    </Card>
  )
}
