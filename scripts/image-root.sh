#!/usr/bin/env bash
# Assembles the files of the container image: scripts/image-root.sh EXECUTABLE DIRECTORY [LICENCES]
#
# The executable, what the dynamic linker loads for it, the licences of what is linked, the certificates of this
# machine's certificate authorities, and a user. Nothing is downloaded.
set -euo pipefail
program=$1
root=$2
licences=${3:-}

fail() { echo "image: $*" >&2; exit 1; }

certificates=${CA_CERTIFICATES:-/etc/ssl/certs/ca-certificates.crt}
[ -f "$certificates" ] || fail "$certificates is missing; install ca-certificates, or set CA_CERTIFICATES"

rm -rf "$root"
mkdir -p "$root/usr/bin" "$root/etc/ssl/certs" "$root/var/lib/vitrine" "$root/tmp"
install -m 755 "$program" "$root/usr/bin/vitrine"
if [ -n "$licences" ]; then
  install -D -m 644 "$licences" "$root/usr/share/doc/vitrine/LICENCES.md"
fi
# Each by the path at which the linker looks for it; the links of a merged /usr are followed.
ldd "$program" | grep -o '/[^ ]*' | while read -r library; do
  install -D -m 755 "$library" "$root$library"
done
[ -n "$(find "$root" -name 'libc.so.6')" ] || fail "ldd names no C library for $program"
install -m 644 "$certificates" "$root/etc/ssl/certs/ca-certificates.crt"
echo 'vitrine:x:65532:65532:Vitrine storefront:/var/lib/vitrine:/sbin/nologin' >"$root/etc/passwd"
echo 'vitrine:x:65532:' >"$root/etc/group"
echo 'hosts: files dns' >"$root/etc/nsswitch.conf"
chmod 1777 "$root/tmp"
