#!/usr/bin/env bash
# Fetches the page's libraries from npm at the versions named here and puts them into assets/vendor. A browser knows no
# package names without an import map, and an import map would be an inline script; so the names they import each other
# by are made addresses. Nothing else of them is changed, but for one picture of Redoc's. `npm` must be there; run it from anywhere.
set -euo pipefail
cd "$(dirname "$0")/assets/vendor"
readonly PACKAGES=(preact@11.2.0 htm@3.1.1 @preact/signals@2.11.4 @preact/signals-core@1.14.5 redoc@2.5.4)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
(cd "$folder" && npm init -y >/dev/null && npm install --no-audit --no-fund --silent "${PACKAGES[@]}")
# put FROM TO: one file, its imports as addresses, without the pointer to a source map that is not served.
put() {
    sed -E -e 's#"preact/hooks"#"./hooks.js"#g; s#"@preact/signals-core"#"./signals-core.js"#g; s#"preact"#"./preact.js"#g' \
        -e '/^\/\/# sourceMappingURL=/d' "$folder/node_modules/$1" >"$2"
}
put preact/dist/preact.mjs preact.js
put preact/hooks/dist/hooks.mjs hooks.js
put @preact/signals-core/dist/signals-core.mjs signals-core.js
put @preact/signals/dist/signals.mjs signals.js
put htm/dist/htm.mjs htm.js
put redoc/bundles/redoc.standalone.js redoc.js
# A page of ours asks no other host for anything: the picture beside “API docs by Redocly” is our own.
sed -i 's#https://cdn.redoc.ly/redoc/logo-mini.svg#/assets/icon.svg#g' redoc.js
{
    echo "Libraries of the page and of /docs, as npm has them; vendor.sh says how they came here."
    for package in preact htm @preact/signals @preact/signals-core redoc; do
        printf '\n===== %s %s =====\n' "$package" "$(node -p "require('$folder/node_modules/$package/package.json').version")"
        cat "$folder/node_modules/$package/LICENSE"
    done
    printf '\n===== what redoc.js has in it =====\n'
    cat "$folder/node_modules/redoc/bundles/redoc.standalone.js.LICENSE.txt"
} >LICENCES.txt
sha256sum ./*.js | sort -k2
