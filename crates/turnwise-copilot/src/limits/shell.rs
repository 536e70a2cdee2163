//! A command as a shell reads it: words without their quotes and backslashes, where each output goes, and what stands
//! in `$(…)`. What only the shell knows when it runs is kept as a pattern that fits anything. Next: `broken`.

/// One program with its words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Line {
    pub words: Vec<Word>,
    /// What its output is put into.
    pub into: Vec<Word>,
}

/// A word; what is not known of it, or stands for several, is `*` or `?`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Word {
    pub text: String,
    /// Whether all of it stands there: no variable, no `$(…)`.
    pub is_sure: bool,
}

/// All that a command runs, also within `$(…)` and in what a shell is given to run.
pub(super) fn read(command: &str) -> Vec<Line> {
    read_within(command, DEPTH_MAX)
}

fn read_within(command: &str, depth: usize) -> Vec<Line> {
    let mut reading =
        Reading { letters: command.chars().collect(), at: 0, all: Vec::new(), depth, ..Reading::default() };
    reading.read();
    let inner: Vec<String> = reading.all.iter().flat_map(Line::code).collect();
    let mut all = reading.all;
    for code in inner.iter().filter(|_| depth > 0) {
        all.extend(read_within(code, depth - 1));
    }
    all
}

impl Line {
    /// What is run: the first word that is no assignment and no word of the shell itself.
    pub fn program(&self) -> &str {
        base(self.program_word())
    }

    fn program_word(&self) -> &str {
        self.program_at().and_then(|at| self.words.get(at)).map_or("", |word| &word.text)
    }

    fn program_at(&self) -> Option<usize> {
        let is_around = |word: &Word| AROUND.contains(&word.text.as_str()) || is_assignment(&word.text);
        self.words.iter().position(|word| !is_around(word))
    }

    /// What its program is given.
    pub fn given(&self) -> impl Iterator<Item = &Word> {
        self.words.iter().skip(self.program_at().map_or(0, |at| at + 1))
    }

    /// Whether it runs code that is not looked into, or names what is only known when it runs.
    pub fn is_unsure(&self) -> bool {
        let program = self.program();
        let runs_code = self.is_script() || RUNS_CODE.iter().any(|one| program.trim_end_matches(is_version) == *one);
        runs_code || self.words.iter().chain(&self.into).any(|word| !word.is_sure)
    }

    /// Whether its program is one that does nothing but what its words say.
    pub fn is_known(&self) -> bool {
        let program = self.program();
        let is_plain = program.is_empty() || PLAIN.contains(&program) || CHANGING.contains(&program);
        self.only_reads() || (is_plain && !self.is_script())
    }

    /// Whether its program changes nothing of the files it is given.
    pub fn only_reads(&self) -> bool {
        READING.contains(&self.program()) && !self.is_script()
    }

    /// Whether what is run is a file of somewhere, whatever it is called.
    fn is_script(&self) -> bool {
        let program = self.program_word();
        program.contains('/') && !["/bin/", "/usr/bin/"].iter().any(|folder| program.starts_with(folder))
    }

    /// What a shell among its words is given to run: also “sudo sh -c …”.
    fn code(&self) -> Vec<String> {
        let shell = self.words.iter().position(|word| SHELLS.contains(&base(&word.text)));
        let Some(shell) = shell.filter(|_| !self.is_known()) else { return Vec::new() };
        let words: Vec<String> = self.words.iter().skip(shell + 1).map(|word| word.text.clone()).collect();
        let joined = words.join(" ");
        words.into_iter().filter(|word| word.contains(char::is_whitespace)).chain([joined]).collect()
    }
}

/// The name of a program without the folder it is in.
pub(super) fn base(word: &str) -> &str {
    word.rsplit('/').next().unwrap_or(word)
}

fn is_version(letter: char) -> bool {
    letter.is_ascii_digit() || letter == '.'
}

fn is_assignment(word: &str) -> bool {
    let is_name = |name: &str| !name.is_empty() && name.chars().all(|letter| letter.is_alphanumeric() || letter == '_');
    word.split_once('=').is_some_and(|(name, _)| is_name(name))
}

#[derive(Default)]
struct Reading {
    letters: Vec<char>,
    at: usize,
    all: Vec<Line>,
    line: Line,
    word: Option<Word>,
    /// Whether the next word is where output goes.
    is_target: bool,
    depth: usize,
}

impl Reading {
    fn next(&mut self) -> Option<char> {
        let letter = self.letters.get(self.at).copied();
        self.at += 1;
        letter
    }

    fn peek(&self) -> Option<char> {
        self.letters.get(self.at).copied()
    }

    fn read(&mut self) {
        while let Some(letter) = self.next() {
            match letter {
                '\\' => match self.next() {
                    Some('\n') | None => {}
                    Some(letter) => self.put(letter),
                },
                '\'' => self.single(),
                '"' => self.double(),
                '$' | '`' => self.unknown(letter),
                '>' => self.output(),
                '<' => self.end_word(),
                '&' if self.peek() == Some('>') => self.end_word(),
                ';' | '|' | '&' | '(' | ')' | '\n' => self.end_line(),
                '#' if self.word.is_none() => {
                    while self.peek().is_some_and(|letter| letter != '\n') {
                        self.at += 1;
                    }
                }
                '{' => self.brace(),
                '[' => self.bracket(),
                letter if letter.is_whitespace() => self.end_word(),
                letter => self.put(letter),
            }
        }
        self.end_line();
    }

    fn word(&mut self) -> &mut Word {
        self.word.get_or_insert_with(|| Word { text: String::new(), is_sure: true })
    }

    fn put(&mut self, letter: char) {
        self.word().text.push(letter);
    }

    fn end_word(&mut self) {
        let Some(word) = self.word.take() else { return };
        match std::mem::take(&mut self.is_target) {
            true => self.line.into.push(word),
            false => self.line.words.push(word),
        }
    }

    fn end_line(&mut self) {
        self.end_word();
        let line = std::mem::take(&mut self.line);
        if !line.words.is_empty() || !line.into.is_empty() {
            self.all.push(line);
        }
    }

    /// Behind `>`: `2>` names no file before it, and `>&2` none behind it.
    fn output(&mut self) {
        if self.word.as_ref().is_some_and(|word| word.text.chars().all(|letter| letter.is_ascii_digit())) {
            self.word = None;
        }
        self.end_word();
        while self.peek().is_some_and(|letter| letter == '>' || letter == '|') {
            self.at += 1;
        }
        if self.peek() == Some('&') {
            self.at += 1;
            while self.peek().is_some_and(|letter| letter.is_ascii_digit() || letter == '-') {
                self.at += 1;
                self.is_target = false;
                if self.peek().is_none_or(|letter| !letter.is_ascii_digit()) {
                    return;
                }
            }
        }
        self.is_target = true;
    }

    fn single(&mut self) {
        self.word();
        while let Some(letter) = self.next().filter(|letter| *letter != '\'') {
            self.put(letter);
        }
    }

    fn double(&mut self) {
        self.word();
        while let Some(letter) = self.next().filter(|letter| *letter != '"') {
            match letter {
                '\\' if self.peek().is_some_and(|next| "$`\"\\\n".contains(next)) => {
                    let next = self.next().filter(|next| *next != '\n');
                    next.into_iter().for_each(|next| self.put(next));
                }
                '$' | '`' => self.unknown(letter),
                letter => self.put(letter),
            }
        }
    }

    /// A variable, or what another command prints: any text. That command is read, too.
    fn unknown(&mut self, letter: char) {
        let inner = match (letter, self.peek()) {
            ('`', _) => Some(self.until('`')),
            (_, Some('(')) => Some(self.nested('(', ')')),
            (_, Some('{')) => {
                self.nested('{', '}');
                None
            }
            (_, Some('\'')) => {
                self.at += 1;
                self.until('\'');
                None
            }
            (_, Some(next)) if next.is_alphanumeric() || "_?!@*#$-".contains(next) => {
                self.at += 1;
                while self.peek().is_some_and(|letter| letter.is_alphanumeric() || letter == '_') {
                    self.at += 1;
                }
                None
            }
            _ => return self.put(letter),
        };
        if let Some(inner) = inner.filter(|_| self.depth > 0) {
            self.all.extend(read_within(&inner, self.depth - 1));
        }
        self.word().is_sure = false;
        self.put('*');
    }

    fn until(&mut self, end: char) -> String {
        let mut inside = String::new();
        while let Some(letter) = self.next().filter(|letter| *letter != end) {
            inside.push(letter);
        }
        inside
    }

    fn nested(&mut self, open: char, close: char) -> String {
        let (mut inside, mut depth) = (String::new(), 0_usize);
        while let Some(letter) = self.next() {
            depth += usize::from(letter == open);
            depth -= usize::from(letter == close);
            if depth == 0 {
                break;
            }
            inside.push(letter);
        }
        inside.chars().skip(1).collect()
    }

    /// `{a,b}` is one of several texts; a brace of its own holds commands.
    fn brace(&mut self) {
        let rest: String = self.letters[self.at..].iter().take_while(|letter| !letter.is_whitespace()).collect();
        let Some(end) = rest.find('}').filter(|end| rest[..*end].contains(',') || rest[..*end].contains("..")) else {
            return self.put('{');
        };
        self.at += rest[..=end].chars().count();
        self.put('*');
    }

    /// `[ab]` is one letter; a bracket that stands alone is a program.
    fn bracket(&mut self) {
        let rest: String = self.letters[self.at..].iter().take_while(|letter| !letter.is_whitespace()).collect();
        let Some(end) = rest.find(']').filter(|end| *end > 0) else { return self.put('[') };
        self.at += rest[..=end].chars().count();
        self.put('?');
    }
}

/// How deep commands within commands are read.
const DEPTH_MAX: usize = 4;
/// Words of the shell around a program.
const AROUND: [&str; 12] = ["if", "then", "else", "elif", "fi", "do", "done", "while", "until", "!", "{", "}"];
/// What runs a text as a command.
const SHELLS: [&str; 7] = ["sh", "bash", "dash", "zsh", "ksh", "eval", "exec"];
/// What runs code, or is told by its input what to do it with.
const RUNS_CODE: [&str; 18] = [
    "sh", "bash", "dash", "zsh", "ksh", "eval", "source", ".", "python", "perl", "ruby", "node", "php", "lua", "make",
    "xargs", "awk", "ssh",
];
/// Programs that change nothing of the files they are given.
const READING: [&str; 24] = [
    "cat",
    "grep",
    "wc",
    "ls",
    "head",
    "tail",
    "less",
    "more",
    "diff",
    "cmp",
    "sort",
    "cut",
    "file",
    "stat",
    "test",
    "[",
    "echo",
    "printf",
    "md5sum",
    "sha256sum",
    "od",
    "nl",
    "du",
    "tac",
];
/// Programs that change nothing but the files they are given.
pub(super) const CHANGING: [&str; 13] =
    ["rm", "mv", "cp", "tee", "touch", "truncate", "shred", "chmod", "chown", "ln", "dd", "install", "unlink"];
/// Others that do nothing but what their words say.
const PLAIN: [&str; 15] = [
    "mkdir", "rmdir", "uniq", "tr", "date", "pwd", "cd", "true", "false", "exit", "sleep", "seq", "basename",
    "dirname", "for",
];

#[cfg(test)]
mod tests {
    use super::*;

    fn told(command: &str) -> Vec<String> {
        let told = |words: &[Word]| words.iter().map(|word| word.text.clone()).collect::<Vec<_>>().join(" ");
        let line = |line: &Line| match line.into.is_empty() {
            true => told(&line.words),
            false => format!("{} > {}", told(&line.words), told(&line.into)),
        };
        read(command).iter().map(line).collect()
    }

    #[test]
    fn a_command_is_read_as_its_shell_reads_it() {
        for (command, lines) in [
            ("sort -o b\".txt\" a.txt", &["sort -o b.txt a.txt"][..]),
            ("rm b.tx\\t", &["rm b.txt"]),
            ("\\rm a.txt", &["rm a.txt"]),
            ("r\"\"m 'a b'.txt", &["rm a b.txt"]),
            ("rm {a,b}.txt", &["rm *.txt"]),
            ("echo x >b.txt 2>&1; ls", &["echo x > b.txt", "ls"]),
            ("echo x 2>> log &", &["echo x > log"]),
            ("ls | grep a && rm \"$F\"", &["ls", "grep a", "rm *"]),
            ("echo \"$(rm b.txt)\" `ls a`", &["rm b.txt", "ls a", "echo * *"]),
            ("sh -c 'rm b.txt'", &["sh -c rm b.txt", "rm b.txt", "-c rm b.txt"]),
            ("cat a[12].txt # b.txt", &["cat a?.txt"]),
            ("cat $((1+2)) ${X:-b}", &["1+2", "cat * *"]),
        ] {
            assert_eq!(told(command), lines, "{command}");
        }
    }

    #[test]
    fn what_is_only_known_when_it_runs_is_not_sure() {
        for (command, is_unsure) in [
            ("rm $F", true),
            ("python3.12 x.py", true),
            ("./build", true),
            ("A=1 perl -e 1", true),
            ("ls -l 'a$b'", false),
            ("rm *.txt", false),
        ] {
            assert_eq!(read(command).iter().any(Line::is_unsure), is_unsure, "{command}");
        }
    }
}
