import { sql } from 'kysely'
import { newId } from '../../../services/kernel/base/ids.ts'
import { closeDatabase, openDatabase } from '../../../services/kernel/database/database.ts'
import type { notificationsForTest } from './notification.ts'

export const logo = 'https://cdn.example/phare.png?a=1&b=2'

type HotelLook = { name: string; colour: string; emails?: boolean; language?: string }

/** Gives hotels their names, logos and colours, in a world with the hotel service. */
export function hotelLooks({ host, members }: Awaited<ReturnType<typeof notificationsForTest>>) {
  const hotels = openDatabase<unknown>(host.databaseUrl('hotel'))
  return {
    close: () => closeDatabase(hotels),
    /** Sets the look of a workspace's hotel. @returns the hotel's id */
    async set(workspaceId: string, { name, colour, emails = true, language = 'fr' }: HotelLook): Promise<string> {
      const { rows } = await sql<{ id: string }>`
        select ecosystem_id as id from workspaces where id = ${workspaceId}
      `.execute(members)
      const [setting, hotelId] = [newId(), rows[0]?.id ?? '']
      await sql`
        insert into hotel_settings (
          id, timezone, language, currency, enable_push, enable_email, check_in_time, check_out_time, primary_color,
          secondary_color, logo_url
        )
        values (
          ${setting}, 'Europe/Paris', ${language}, 'EUR', 1, ${emails ? 1 : 0}, '14:00', '11:00', ${colour}, '#000000', ${logo}
        )
      `.execute(hotels)
      await sql`insert into hotels (id, name, setting_id) values (${hotelId}, ${name}, ${setting})`.execute(hotels)
      return hotelId
    },
  }
}
