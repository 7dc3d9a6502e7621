#!/bin/sh
# Health check of the broker. After a full disk its storage (JetStream) stays off until it is restarted, so the third
# such answer in a row ends the server, which the container's restart policy starts again.
answer=$(wget -q -O - 'http://127.0.0.1:8222/healthz?js-enabled-only=true' 2>&1) && { rm -f /tmp/unwell; exit 0; }
case "$answer" in *503*) echo >> /tmp/unwell ;; *) rm -f /tmp/unwell ;; esac
[ "$(wc -l 2>/dev/null < /tmp/unwell || echo 0)" -lt 3 ] || { rm -f /tmp/unwell; kill -TERM 1; }
exit 1
