//! A mail relay that misbehaves by dice, writes down what it took, and says when the server is to be killed.

use std::{
    sync::{Arc, Mutex, MutexGuard},
    time::Duration,
};

use tokio::{
    io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, Lines},
    net::{
        TcpListener, TcpStream,
        tcp::{OwnedReadHalf, OwnedWriteHalf},
    },
    sync::Notify,
};

use crate::Dice;

/// It knows nobody whose address begins so.
pub const GONE: &str = "gone-";
/// So many conversations of one life go wrong at most: some mail goes out in every life.
const WRONG: usize = 3;

/// At which moment the server of this life is killed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moment {
    /// A message came whole, and its answer never comes: it is not known on the other side that it was taken.
    Held,
    /// The answer has just left: it may not be written down yet on the other side.
    Answered,
    /// The relay takes nothing from us in this life, and has said so.
    Shut,
}

/// What goes wrong in a conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    None,
    /// Every answer comes late.
    Slow,
    /// Every answer comes a byte at a time.
    Drips,
    /// 421 instead of a greeting.
    Busy,
    /// 450 to every recipient.
    Greylisting,
    /// 451 to every sender.
    NoSpace,
    /// 421 to DATA.
    Closing,
    /// Hangs up in the middle of the message.
    CutInside,
    /// 451 to the whole message.
    NotNow,
    /// Hangs up instead of answering; the message is thrown away.
    Dropped,
    /// Hangs up instead of answering; the message is kept.
    AnswerLost,
}

const FAULTS: [Fault; 10] = [
    Fault::Slow,
    Fault::Drips,
    Fault::Busy,
    Fault::Greylisting,
    Fault::NoSpace,
    Fault::Closing,
    Fault::CutInside,
    Fault::NotNow,
    Fault::Dropped,
    Fault::AnswerLost,
];

/// A message that came whole and was kept.
#[derive(Debug, Clone)]
pub struct AcceptedMessage {
    /// What stands in its Message-ID before the domain.
    pub id: String,
    /// To whom, as the envelope says.
    pub to: String,
    /// Its header and its body.
    pub words: (String, String),
    /// What the answer called it, where there was one.
    pub number: usize,
    /// In which life of the server.
    pub life: usize,
    /// The relay itself lost the answer.
    pub lost: bool,
}

struct State {
    dice: Dice,
    life: usize,
    /// How many conversations of this life may still go wrong.
    wrong: usize,
    /// The server dies at this moment of the how many-th message from now.
    dies: Option<(u64, Moment)>,
    shut: bool,
    conversations: usize,
    taken: Vec<AcceptedMessage>,
}

/// The relay, for whoever runs it and for its conversations.
#[derive(Clone)]
pub struct Relay {
    port: u16,
    state: Arc<Mutex<State>>,
    reached: Arc<Notify>,
}

impl Relay {
    /// Listens on this machine; takes everything until a life begins.
    pub async fn open(dice: Dice) -> Relay {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let state = State { dice, life: 0, wrong: 0, dies: None, shut: false, conversations: 0, taken: Vec::new() };
        let relay = Relay { port, state: Arc::new(Mutex::new(state)), reached: Arc::new(Notify::new()) };
        let door = relay.clone();
        tokio::spawn(async move {
            while let Ok((socket, _)) = listener.accept().await {
                tokio::spawn(door.clone().converse(socket));
            }
        });
        relay
    }

    /// For `PORTAGE_SMTP_URL`.
    pub fn url(&self) -> String {
        format!("smtp://127.0.0.1:{}", self.port)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }

    /// Another life of the server, in which some conversations go wrong; it is to be killed at this moment of the how
    /// many-th message.
    pub fn begin(&self, messages: u64, moment: Moment) {
        let mut state = self.state();
        state.life += 1;
        state.wrong = WRONG;
        state.shut = moment == Moment::Shut;
        state.dies = Some((messages, moment));
    }

    /// The last life: everything goes well.
    pub fn begin_well(&self) {
        let mut state = self.state();
        state.life += 1;
        state.wrong = 0;
        state.shut = false;
        state.dies = None;
    }

    /// The moment has come at which the server is to be killed.
    pub async fn reached(&self) {
        self.reached.notified().await;
    }

    /// What it took so far, in order.
    pub fn taken(&self) -> Vec<AcceptedMessage> {
        self.state().taken.clone()
    }

    /// How many conversations there were.
    pub fn conversations(&self) -> usize {
        self.state().conversations
    }

    /// In which life a conversation begins, and what goes wrong in it; none: nobody is let in.
    fn greet(&self) -> (usize, Option<Fault>) {
        let mut state = self.state();
        state.conversations += 1;
        if state.shut {
            return (state.life, None);
        }
        let mut fault = Fault::None;
        if state.wrong > 0 && state.dice.up_to(2) == 0 {
            let drawn = usize::try_from(state.dice.up_to(FAULTS.len() as u64)).unwrap();
            fault = FAULTS[drawn];
            state.wrong -= 1;
        }
        (state.life, Some(fault))
    }

    /// Keeps a message; its number, and whether the server is to be killed now.
    fn keep(&self, life: usize, to: &str, whole: &str, lost: bool) -> (usize, Option<Moment>) {
        let (head, body) = whole.split_once("\n\n").unwrap_or_else(|| panic!("no header in\n{whole}"));
        let id = head.lines().find_map(|l| l.strip_prefix("Message-ID: <")?.split_once('@'));
        let id = id.unwrap_or_else(|| panic!("no Message-ID in\n{head}")).0.to_owned();
        let words = (head.to_owned(), body.to_owned());
        let mut state = self.state();
        let number = state.taken.len() + 1;
        state.taken.push(AcceptedMessage { id, to: to.to_owned(), words, number, life, lost });
        // Whoever still talks for a server that is dead decides nothing about the next one.
        if lost || life != state.life {
            return (number, None);
        }
        let due = match state.dies.as_mut() {
            Some((1, moment)) => Some(*moment),
            Some((messages, _)) => {
                *messages -= 1;
                None
            }
            None => None,
        };
        if due.is_some() {
            state.dies = None;
        }
        (number, due)
    }

    async fn converse(self, socket: TcpStream) -> Option<()> {
        let (life, fault) = self.greet();
        let (read, write) = socket.into_split();
        let mut lines = BufReader::new(read).lines();
        let mut line = Line { write, fault: fault.unwrap_or(Fault::None) };
        let Some(fault) = fault else {
            line.say("554 5.7.1 this machine may not send here").await?;
            if self.state().dies.take().is_some() {
                self.reached.notify_one();
            }
            return Some(());
        };
        if fault == Fault::Busy {
            return line.say("421 4.3.2 too many connections").await;
        }
        line.say("220 relay.test ready").await?;
        let mut to = String::new();
        while let Some(told) = lines.next_line().await.ok()? {
            match told.get(..4).unwrap_or_default().to_ascii_uppercase().as_str() {
                "EHLO" => line.say("250 relay.test").await?,
                "MAIL" if fault == Fault::NoSpace => line.say("451 4.3.1 no space").await?,
                "RCPT" => {
                    to = address(&told);
                    line.say(recipient(&to, fault)).await?;
                }
                "DATA" if fault == Fault::Closing => return line.say("421 4.3.2 closing").await,
                "DATA" => {
                    line.say("354 go on").await?;
                    let whole = message(&mut lines, fault).await?;
                    self.judge(&mut lines, &mut line, (life, fault), &to, &whole).await?;
                }
                "QUIT" => return line.say("221 bye").await,
                _ => line.say("250 2.0.0 fine").await?,
            }
        }
        Some(())
    }

    /// The whole message has come. None: there is nothing more to say to this client.
    async fn judge(
        &self,
        lines: &mut Lines<BufReader<OwnedReadHalf>>,
        line: &mut Line,
        (life, fault): (usize, Fault),
        to: &str,
        whole: &str,
    ) -> Option<()> {
        match fault {
            Fault::NotNow => return line.say("451 4.3.0 the queue is full").await,
            Fault::Dropped => return None,
            _ => {}
        }
        let lost = fault == Fault::AnswerLost;
        let (number, due) = self.keep(life, to, whole, lost);
        if lost {
            return None;
        }
        if due == Some(Moment::Held) {
            self.reached.notify_one();
            // Until the client is dead.
            while lines.next_line().await.ok()?.is_some() {}
            return None;
        }
        line.say(&format!("250 2.0.0 queued as {number}")).await?;
        if due.is_some() {
            self.reached.notify_one();
        }
        Some(())
    }
}

/// Where answers go, and how.
struct Line {
    write: OwnedWriteHalf,
    fault: Fault,
}

impl Line {
    async fn say(&mut self, words: &str) -> Option<()> {
        let answer = format!("{words}\r\n");
        match self.fault {
            Fault::Slow => tokio::time::sleep(Duration::from_millis(80)).await,
            Fault::Drips => {
                for byte in answer.bytes() {
                    tokio::time::sleep(Duration::from_millis(3)).await;
                    self.write.write_all(&[byte]).await.ok()?;
                }
                return Some(());
            }
            _ => {}
        }
        self.write.write_all(answer.as_bytes()).await.ok()
    }
}

/// What it says to a recipient.
fn recipient(to: &str, fault: Fault) -> &'static str {
    match fault {
        _ if to.starts_with(GONE) => "550 5.1.1 no such person",
        Fault::Greylisting => "450 4.7.1 greylisted",
        _ => "250 2.1.5 fine",
    }
}

/// Of `RCPT TO:<somebody@example.test>`.
fn address(command: &str) -> String {
    let inside = command.split_once('<').and_then(|(_, rest)| rest.split_once('>'));
    inside.map(|(address, _)| address.to_owned()).unwrap_or_default()
}

/// A message up to its last dot; none when its client goes before, or is left.
async fn message(lines: &mut Lines<BufReader<OwnedReadHalf>>, fault: Fault) -> Option<String> {
    let (mut whole, mut read) = (String::new(), 0);
    loop {
        let line = lines.next_line().await.ok()??;
        if line == "." {
            return Some(whole);
        }
        read += 1;
        if fault == Fault::CutInside && read == 3 {
            return None;
        }
        whole.push_str(&line);
        whole.push('\n');
    }
}
