#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# eslint and tidy report nothing about the source of the page of lkstla html and of its tests.
# suite: all

. "$(dirname "$0")/host.sh"
"$top/scripts/deps" browser >"$work/deps" 2>&1 || bail_out "no linters here: $(cat "$work/deps")"
# Only Debian's Node.js looks in these directories by default.
export NODE_PATH=/usr/share/nodejs:/usr/lib/nodejs
html=$top/tests/host/html

# lint ENVIRONMENT FILE...: check scripts that run in this environment; prints what is wrong
lint() {
	local environment=$1
	shift
	eslint --no-eslintrc --format unix --max-warnings 0 --config "$html/eslint.json" --env "$environment" "$@"
}

# Check the scripts of the page together, because they use each other's names.
cd "$work" || exit
ok 'the page can be put together' node "$html/template.js" page.html page.js
quiet 'eslint: the page' lint browser page.js
quiet 'tidy: the page' tidy -quiet -errors -utf8 page.html
lacks 'the page loads nothing' "$(cat page.html)" '(src|href|action)="?(https?:)?//|@import|url\('
cd "$html" || exit
quiet 'eslint: the tests' lint node,browser ./*.js

is 'the picture in the README is smaller than 300 KB' "$(find "$top/Documentation/timeline.png" -size -300k | wc -l)" 1

printf 'var a = 1;\n' >"$work/wrong.js"
cd "$work" || exit
fails 'eslint: a mistake is found' any lint browser wrong.js
done_testing
