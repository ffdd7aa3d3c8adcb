rm -rf /tmp/console-shots; cp /tmp/shots.mts .shots.mts; cp /tmp/montage.mts .montage.mts; LANG=C.UTF-8 npx tsx .shots.mts $1; npx tsx .montage.mts $1; rm -f .shots.mts .montage.mts
