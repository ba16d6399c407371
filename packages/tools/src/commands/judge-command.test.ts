import { verifies } from '@codelab/testkit';
import { describe, expect, test } from 'vitest';
import { judgeCommand, type CommandVerdict } from './judge-command.js';

const verdict = (line: string): CommandVerdict => judgeCommand(line).verdict;
const split = (rows: string): readonly string[] => rows.trim().split(/ ¦ |\n/);

const HARMLESS = split(String.raw`
ls ¦ ls -la src ¦ ls -d *.ts ¦ ls . ¦ ls -- -x ¦ pwd ¦ pwd -P ¦ whoami ¦ id -u ¦ uname -a ¦ date ¦ date -u +%Y ¦ true ¦ echo hi ¦ echo -n "a b" 'c' ¦ echo *.ts ¦ echo src/*.ts ¦ ls -d */ ¦ echo '/etc/*' ¦ :
cat README.md ¦ cat -n src/a.ts src/b.ts ¦ head -20 a.txt ¦ head -n 5 a.txt ¦ tail -n +5 a.txt ¦ tail -c 100 a ¦ wc -l a b ¦ sort -k 2 -u a ¦ uniq -c a ¦ cut -d , -f 1 a
nl a ¦ stat a ¦ stat -c %s a ¦ file a ¦ du -sh . ¦ df -h ¦ which node ¦ command -v node ¦ type ls ¦ tree -L 2 src ¦ tr a-z A-Z ¦ sed -n 1,20p a.txt ¦ sed -n '5,$p' a ¦ ps -o pid,comm ¦ ps -eo pid,ppid,user,stat,comm ¦ ps -A -o pid= -o comm=
grep foo a.txt ¦ grep -n -i "foo bar" src/a.ts ¦ grep -rn --include='*.ts' foo src ¦ grep -e foo -e bar a ¦ grep -A3 foo a ¦ grep -c '/etc/passwd' a
rg foo ¦ rg -n 'foo|bar' src ¦ rg --files src ¦ rg -t ts foo ¦ rg -g '*.ts' foo ¦ rg -g '!dist' foo ¦ rg -g '*.test.ts' foo ¦ rg -g package.json foo ¦ rg --glob '**/*.{ts,tsx}' foo ¦ rg -g tsconfig.json foo ¦ grep -rn --include=package.json foo . ¦ cat src/secrets/mask.ts ¦ cat example.env ¦ cat .docker/Dockerfile ¦ cat history.md ¦ cat src/env.ts ¦ rg -e foo -e bar src
find . -name '*.ts' ¦ find src -type f -maxdepth 2 ¦ find . -type f ! -name '*.js' -o -empty ¦ find . '(' -name a -o -name b ')' -print
git status ¦ git status -sb ¦ git status --porcelain=v1 src ¦ git log ¦ git log --oneline -5 ¦ git log -n 3 --stat ¦ git log --author me --since 2.weeks ¦ git log -p -- src/a.ts
git diff ¦ git diff --cached ¦ git diff HEAD~1 -- src ¦ git diff main...feature/x ¦ git diff --name-only HEAD^ ¦ git show HEAD ¦ git show HEAD:src/a.ts ¦ git show --stat abc123
git branch ¦ git branch -a ¦ git branch -vv ¦ git branch --list 'a*' ¦ git branch --merged main ¦ git branch --show-current ¦ git rev-parse HEAD ¦ git rev-parse --abbrev-ref HEAD
git ls-files ¦ git ls-files -o --exclude-standard src ¦ git blame src/a.ts ¦ git blame -L 1,5 src/a.ts ¦ git --no-pager log -1 ¦ git --version
ls 2>/dev/null ¦ ls >/dev/null 2>&1 ¦ which node &>/dev/null ¦ cat < a.txt ¦ ls && pwd ¦ ls; pwd ¦ ls || true ¦ cat a | grep b | wc -l ¦ ls & pwd ¦ ! ls ¦ time ls ¦ (cd src && ls)
cd src ¦ cd src && ls -la && cat a.ts ¦ timeout 5 ls ¦ nice -n 5 ls ¦ nohup ls ¦ stdbuf -oL ls ¦ env ls ¦ command ls ¦ /bin/ls ¦ /usr/bin/git status ¦ sh -c ls ¦ bash -lc 'git status && ls'
sh -c 'sh -c "ls src"' ¦ busybox ls ¦ setsid ls ¦ timeout -k 1 5 nice bash -euo pipefail -c ls ¦ bash -c -- ls
`);

const ASKS = split(String.raw`
npm test ¦ npm run test ¦ npm install ¦ npm ci ¦ pnpm build ¦ yarn add x ¦ npx jest ¦ pip install x ¦ apt-get install x ¦ brew install x ¦ cargo test ¦ cargo build ¦ go test ./... ¦ make ¦ make test ¦ just build
curl https://x.y ¦ wget x ¦ nc -l 1 ¦ ssh host ¦ ssh host ls ¦ scp a b: ¦ rsync a b ¦ dig x ¦ nslookup x ¦ host x ¦ ping x ¦ gh pr list
node x.js ¦ node -e 1 ¦ node ¦ python x.py ¦ python3 -c 1 ¦ python -m pytest ¦ perl -e 1 ¦ ruby x.rb ¦ php x.php ¦ deno run x.ts ¦ awk 1 a ¦ sed -i s/a/b/ x ¦ sed s/a/b/ x ¦ sed -n '1e id' x ¦ sed -n 'w x' a
./x ¦ ./build.sh --all ¦ bin/tool ¦ ../tool ¦ /opt/tool/x ¦ node_modules/.bin/jest ¦ sh x.sh ¦ bash x ¦ source x ¦ . ./x ¦ bash ¦ sh -i
export PATH=. ¦ export A=1 ¦ FOO=1 ls ¦ PATH=. ls ¦ LD_PRELOAD=./x.so ls ¦ A=1 ¦ alias ls=rm ¦ ls() { rm x; } ¦ function f { ls; } ¦ set -e ¦ shopt -s dotglob ¦ unset PATH ¦ read X ¦ hash -p ./x ls
kill 1 ¦ pkill node ¦ killall x ¦ systemctl stop x ¦ service x start ¦ shutdown now ¦ reboot ¦ crontab -l ¦ at now ¦ passwd ¦ useradd x ¦ usermod x ¦ mount x ¦ sysctl -a ¦ hostname x
rm x ¦ rm -rf node_modules ¦ rm -rf build dist ¦ rmdir x ¦ rm -rf . ¦ rm -rf * ¦ rm -rf .. ¦ mv a b ¦ mv a /usr/bin/ ¦ cp a /etc/x ¦ cp a b ¦ touch x ¦ mkdir x ¦ ln -s a b ¦ tee x ¦ truncate -s 0 x ¦ split x
tar xzf a.tgz ¦ tar -xf a -C / ¦ unzip a ¦ gzip a ¦ docker ps ¦ docker run x ¦ docker compose up ¦ kubectl get pods ¦ terraform apply ¦ aws s3 ls ¦ gcloud x ¦ az x ¦ openssl x ¦ keytool x ¦ npm publish
ps ¦ ps aux ¦ ps ax ¦ ps -ef ¦ ps -f ¦ ps -e ¦ ps -A ¦ ps -F ¦ ps -eF ¦ ps e ¦ ps -p 1 ¦ ps -o args ¦ ps -o pid,args ¦ ps -eo pid,cmd ¦ ps -o command= ¦ ps -o comm -o cmd ¦ ps -eocommand ¦ ps --format args ¦ ps --format=pid,cmd ¦ ps -o pid=X,args ¦ ps -o %a ¦ ps -O pid ¦ ps -j ¦ ps -l ¦ ps -o environ ¦ ps w ¦ ps -ww -o comm ¦ ps o args
pgrep -a x ¦ pgrep -fl x ¦ top -b -c ¦ pstree -a ¦ w ¦ cat /proc/1/cmdline ¦ cat /proc/self/environ ¦ lsof ¦ systemctl status x ¦ jps -v
echo /etc/* ¦ echo ../* ¦ echo a/../../* ¦ echo */* ¦ ls -d */* ¦ echo src/*/x ¦ echo [a-z]/.ssh ¦ echo hi /home/*
env ¦ printenv ¦ history -c ¦ top ¦ htop ¦ watch ls ¦ tail -f x ¦ tail --follow x ¦ yes ¦ less x ¦ vim x ¦ man ls ¦ cat /etc/passwd ¦ cat ~/.ssh/id_rsa ¦ cat ../x ¦ cat a/../../x ¦ ls / ¦ ls ~ ¦ cd ¦ cd / ¦ cd .. ¦ cd - ¦ cd ~
cat .env ¦ cat src/.env.local ¦ cat < .env ¦ grep x .env ¦ grep x .env* ¦ head .ENV ¦ cat * ¦ cat *.ts ¦ ls *.ts ¦ grep -r foo . ¦ grep -rn foo --exclude='.env*' . ¦ rg --no-config foo ¦ rg -g id_rsa foo ¦ rg -g 'cred*' foo ¦ rg -g '*.pem' foo ¦ cat id_rsa ¦ grep -r foo ¦ grep -R foo src ¦ rg --hidden foo ¦ rg -uu foo ¦ rg --no-ignore foo ¦ rg -L foo ¦ rg -g '.env*' foo ¦ rg -g '*' foo ¦ rg -g '{a,.env}' foo ¦ rg --iglob '*.js' foo ¦ rg --iglob=a.ts foo ¦ rg -g config.json foo ¦ rg -g config foo ¦ rg -g credentials foo ¦ rg -g prod.env foo ¦ rg -g 'secrets/**' foo ¦ rg -g 'secrets/*.json' foo ¦ rg -g '.docker/config.json' foo ¦ rg -g '.docker/*' foo ¦ rg -g .bash_history foo ¦ rg -g '*.env' foo ¦ rg -g '.*/a.ts' foo ¦ rg -g 'hosts.yml' foo ¦ grep -rn --include=config.json foo . ¦ grep -rn --include=config foo . ¦ grep -rn --include=credentials foo . ¦ grep -rn --include=hosts.yml foo . ¦ grep -rn --include=prod.env foo . ¦ grep -rn --include='*_history' foo .
cat .docker/config.json ¦ cat .config/gh/hosts.yml ¦ cat .bash_history ¦ tail .zsh_history ¦ tail .python_history ¦ cat .node_repl_history ¦ cat .psql_history ¦ cat .mysql_history ¦ cat prod.env ¦ cat config/app.env ¦ cat app.env.local ¦ cat secrets/db ¦ cat secrets/prod.yaml ¦ cat deploy/secrets/key.txt ¦ ls secrets ¦ rg foo secrets ¦ cd .docker && cat config.json ¦ rg foo .docker ¦ rg foo .config/gh ¦ cat .cargo/credentials.toml
rg --pre cat foo ¦ rg --hostname-bin x foo ¦ rg -z foo ¦ rg -f pats foo ¦ grep -f .env a ¦ sort -o out a ¦ sort --output=out a ¦ sort --compress-program=x a ¦ sort --compress-prog x a ¦ sort -T /x a ¦ uniq a b ¦ tree -o out ¦ date -s now ¦ date 01010000 ¦ date -f x ¦ file -C -m x ¦ du --files0-from=x
find . -delete ¦ find . -exec ls {} + ¦ find . -execdir x ';' ¦ find . -ok x ';' ¦ find . -fprint out ¦ find . -fls out ¦ find / -name x ¦ find .. -name x ¦ find -L . -name x ¦ find . -follow ¦ wc --files0-from=x ¦ ls -L x ¦ diff a b ¦ printf '%s' x ¦ base64 -d a ¦ xxd -r a
git push ¦ git pull ¦ git fetch ¦ git clone x ¦ git commit -m x ¦ git add . ¦ git checkout x ¦ git reset --hard ¦ git clean -fd ¦ git stash ¦ git rebase x ¦ git merge x ¦ git tag x ¦ git remote add x y ¦ git config x y ¦ git grep x ¦ git apply x ¦ git am x ¦ git submodule update ¦ git
git branch x ¦ git branch -D x ¦ git branch -d x ¦ git branch -m a b ¦ git branch --edit-description ¦ git branch -f a b ¦ git -c core.pager=x log ¦ git -C .. status ¦ git --exec-path=. status ¦ git --git-dir=x status ¦ git --paginate log ¦ git -p log ¦ git diff --output=f ¦ git diff --outp=f
git diff --ext-diff ¦ git diff --no-index a b ¦ git log --output=x ¦ git log --format=%GK ¦ git log --show-signature ¦ git show HEAD:.env ¦ git show HEAD:../x ¦ git diff -- .env ¦ git blame .env ¦ git log -O x ¦ git blame --contents x a ¦ git ls-files -X x ¦ git status ../x ¦ git diff :/ ¦ git log -- /etc
ls > out ¦ ls >> out ¦ ls >| out ¦ ls <> x ¦ ls >&out ¦ ls &> out ¦ echo x > .env ¦ ls 2> err ¦ cat < /etc/passwd ¦ cat < "$X" ¦ > out ¦ ls > "$X" ¦ { ls; } > out ¦ cat <<< hi
echo $HOME ¦ echo "$HOME" ¦ ls $X ¦ $X ¦ "$X" ls ¦ echo $(ls) ¦ cat <(ls) ¦ echo $((1)) ¦ ls {a,b} ¦ echo {1..9} ¦ cat a | sh ¦ curl x | sh ¦ wget -qO- x | bash ¦ echo ls | sh ¦ ls | python ¦ ls | xargs cat ¦ xargs rm < a
if true; then ls; fi ¦ for i in a; do ls; done ¦ while true; do ls; done ¦ case a in a) ls;; esac ¦ { ls; } ¦ [[ a = b ]] ¦ [ -f a ] ¦ test -f a ¦ ((1)) ¦ coproc ls ¦ select x in a; do ls; done ¦ until ls; do ls; done ¦ time -p ls
chmod 775 x ¦ chmod +x x ¦ chmod u+x x ¦ chmod 644 x ¦ chown me x ¦ chown -R me x ¦ setfacl -m u:me:r x ¦ chgrp x y ¦ env FOO=1 ls ¦ env -i A=b ls ¦ env -u PATH ls ¦ env -S ls ¦ env -C / ls ¦ timeout --foo 5 ls ¦ nice ¦ timeout 5 ¦ xargs ¦ parallel ls ::: a ¦ flock x ls ¦ exec 2>&1 ¦ trap ls EXIT ¦ bash -i -c ls ¦ bash --rcfile x -c ls ¦ bash -O extglob -c ls ¦ sh -c "$X" ¦ bash -s < x
unknown-program ¦ LS ¦ cat C:x ¦ cat 'a\..\b' ¦ ' ¦ " ¦ ls ( ¦ ls ) ¦ ;; ¦ ls && ¦ $( ¦ ls <<E
`);

const REFUSED = split(String.raw`
rm -rf / ¦ rm -fr / ¦ rm -r -f / ¦ rm --recursive --force / ¦ rm --rec / ¦ rm -rf /* ¦ rm -rf ~ ¦ rm -rf ~/ ¦ rm -rf ~/* ¦ rm -rf ~root ¦ rm -rf $HOME ¦ rm -rf "$HOME" ¦ rm -rf "$HOME"/* ¦ rm -rf /usr ¦ rm -rf /etc/ ¦ rm -rf /bin /tmp/x
rm -rf /home ¦ rm -rf /home/me ¦ rm -rf /home/me/* ¦ rm -rf /Users/me ¦ rm -rf /root ¦ rm -rf /var ¦ rm -rf --no-preserve-root / ¦ rm --no-preserve-root -r x ¦ rm -rf -- / ¦ rm -rf // ¦ rm -rf /./ ¦ rm -rf /tmp/.. ¦ rm -rf /tmp/../usr ¦ rm -rf /{usr,etc} ¦ rm -rf /u* ¦ rm -rf x /
rm /etc/passwd ¦ rm -f /etc/shadow ¦ rm /boot/vmlinuz ¦ unlink /lib/x.so ¦ shred /etc/passwd ¦ cd / && rm -rf * ¦ cd / ; rm -rf usr ¦ cd /home && rm -rf me ¦ find / -delete ¦ find ~ -type f -delete ¦ find / -exec rm -rf {} + ¦ find /home -exec rm {} ';'
mkfs /dev/sda1 ¦ mkfs.ext4 /dev/sda1 ¦ mke2fs x ¦ mkswap x ¦ fdisk /dev/sda ¦ parted x ¦ wipefs -a x ¦ format c: ¦ dd if=/dev/zero of=/dev/sda ¦ dd of=/dev/nvme0n1 if=x ¦ cat x > /dev/sda ¦ tee /dev/sda ¦ cp x /dev/sda ¦ echo x > /proc/sysrq-trigger ¦ echo x >> /etc/passwd ¦ cp x /etc/shadow ¦ diskutil eraseDisk x
sudo ls ¦ sudo -u me ls ¦ sudo ¦ sudo -s ¦ su ¦ su - ¦ su -c ls ¦ su me ¦ doas ls ¦ pkexec ls ¦ runuser -u me ls ¦ runas x ¦ sudoedit x ¦ gosu me ls ¦ sudo --weird ls
chmod 777 x ¦ chmod -R 777 . ¦ chmod 0777 x ¦ chmod 666 x ¦ chmod 1777 x ¦ chmod a+w x ¦ chmod o+w x ¦ chmod ugo+rwx x ¦ chmod o=rw x ¦ chmod a=rwx x ¦ chmod 4755 x ¦ chmod u+s x ¦ chmod g+s x ¦ chmod 2755 x ¦ chmod +s x ¦ chown -R root x ¦ chown -R root:root x ¦ chown --recursive 0 x ¦ chown -R me / ¦ setfacl -m o::rwx x ¦ icacls x /grant Everyone:F
insmod x ¦ rmmod x ¦ modprobe x ¦ kextload x ¦ iptables -F ¦ ip6tables -F ¦ nft flush ruleset ¦ ufw disable ¦ firewall-cmd --reload ¦ pfctl -d ¦ netsh advfirewall set x ¦ eval ls ¦ eval "$X" ¦ exec ls ¦ exec bash
:(){ :|:& };: ¦ f() { f | f; }; f ¦ b(){ b & }; b
`);

describe(verifies('H1:command-harmless', 'what only looks, ends, and stays inside by its words runs unasked'), () => {
  test.each(HARMLESS)('%s', (line) => expect(verdict(line)).toBe('automatic'));
  test.each([
    'cat <<EOF\nhello\nEOF',
    "cat <<'EOF' | grep a\n$HOME `x`\nEOF",
    'ls \\\n  -la',
    '# first\nls # second\n\npwd\n',
    'git status\ngit diff',
  ])('%j', (line) => expect(verdict(line)).toBe('automatic'));
});

describe(
  verifies('H1:command-asks', 'what writes, runs code, leaves the workspace, shows secrets, never ends or is not known asks'),
  () => {
    test.each(ASKS)('%s', (line) => expect(verdict(line)).toBe('ask'));
    test.each([
      '',
      '  ',
      '# nothing',
      '\0',
      'ls \0',
      'ls\r',
      'ls\r\nls',
      'echo `ls`',
      '`',
      '${X} a',
      'cat <<E\n$HOME\nE',
      'cat <<E\n$(ls)\nE',
      'cat <<E\n.',
    ])('%j', (line) => expect(verdict(line)).toBe('ask'));
    test('npm test and npm run test are judged alike', () => {
      const [short, long] = ['npm test', 'npm run test'].map((line) => judgeCommand(line).commands[0]!);
      expect([short!.verdict, short!.reason, short!.runs]).toEqual([long!.verdict, long!.reason, long!.runs]);
    });
  },
);

describe(verifies('H1:command-refused', 'a short list is never run, whoever approves it'), () => {
  test.each(REFUSED)('%s', (line) => expect(verdict(line)).toBe('refuse'));
  test.each(['rm -rf ${HOME}/', 'rm -rf ${HOME:?}/*', 'bash <<EOF\nrm -rf /\nEOF', 'ls\nsudo ls', 'rm -rf /\nls ('])('%j', (line) =>
    expect(verdict(line)).toBe('refuse'),
  );
});
