//! Jobs: done once, whoever works.

use std::collections::HashSet;

use kernel::JobId;
use service::ports::{
    StoreError,
    jobs::{Job, Kinds, QueueFigures},
};
use store::testing::TestDb;

use crate::fixtures::*;

on_both_engines!(
    due_jobs_are_claimed_in_order,
    four_workers_never_share_a_job,
    a_lost_lease_is_claimed_again,
    a_lease_lives_as_long_as_it_is_renewed,
    leases_are_ended_at_a_restart,
    a_stranger_cannot_end_a_job,
    a_retried_job_keeps_its_count_and_its_error,
    what_failed_and_waits_is_listed,
    one_job_a_key_waits,
    a_running_job_does_not_stop_a_new_one,
    many_requests_of_one_key_leave_one_job,
    withdrawn_jobs_are_gone_unless_they_run,
    the_dead_are_listed_and_revived,
    figures_and_purge,
    held_back_in_real_time,
    a_lane_claims_its_own_kinds,
    what_is_due_is_taken_off_and_named,
    what_was_held_back_is_let_go,
    what_keeps_losing_its_workers_pauses,
);

async fn queue(db: &TestDb, jobs: Vec<service::ports::jobs::NewJob>) {
    write(db, move |u| jobs.iter().try_for_each(|j| u.jobs().enqueue(j))).await;
}

async fn claim(db: &TestDb, now: i64, lease_until: i64, who: &'static str, max: i64) -> Vec<Job> {
    write(db, move |u| u.jobs().claim(at(now), at(now), at(lease_until), who, max)).await
}

fn kinds(jobs: &[Job]) -> Vec<&str> {
    jobs.iter().map(|j| j.kind.as_str()).collect()
}

async fn due_jobs_are_claimed_in_order(db: TestDb) {
    let first = job("first", at(1), None);
    let payload = first.payload.clone();
    queue(&db, vec![job("third", at(3), None), job("later", at(9), None), first, job("second", at(3), None)]).await;
    assert_eq!(claim(&db, 0, 60, "w", 10).await, []);
    let got = claim(&db, 3, 60, "w", 2).await;
    assert_eq!(kinds(&got), ["first", "third"], "the longest due first, then as they were written");
    assert_eq!((got[0].payload.clone(), got[0].attempts, got[0].max_attempts, got[0].run_at), (payload, 1, 5, at(1)));
    assert_eq!(kinds(&claim(&db, 3, 60, "w", 10).await), ["second"]);
    assert_eq!(claim(&db, 3, 60, "w", 10).await, []);
}

async fn four_workers_never_share_a_job(db: TestDb) {
    queue(&db, (0..100).map(|n| job("x", at(n % 7), None)).collect()).await;
    let work = |who: &'static str| {
        let db = &db;
        async move {
            let mut mine = Vec::new();
            loop {
                let got = claim(db, 10, 60, who, 7).await;
                if got.is_empty() {
                    return mine;
                }
                for job in got {
                    write(db, move |u| u.jobs().finish(job.id, who, at(11))).await;
                    mine.push(job.id);
                }
            }
        }
    };
    let (a, b, c, d) = tokio::join!(work("a"), work("b"), work("c"), work("d"));
    let all: Vec<JobId> = [a, b, c, d].concat();
    assert_eq!((all.len(), all.iter().collect::<HashSet<_>>().len()), (100, 100));
}

async fn a_lost_lease_is_claimed_again(db: TestDb) {
    let made = job("x", at(0), None);
    let id = made.id;
    queue(&db, vec![made]).await;
    assert_eq!(claim(&db, 0, 10, "lost", 1).await.len(), 1);
    assert_eq!(claim(&db, 9, 20, "next", 1).await, []);
    let got = claim(&db, 10, 20, "next", 1).await;
    assert_eq!((got.len(), got[0].attempts), (1, 2));
    // The first worker comes back too late.
    assert!(matches!(try_write(&db, move |u| u.jobs().finish(id, "lost", at(11))).await, Err(StoreError::Stale)));
    write(&db, move |u| u.jobs().finish(id, "next", at(11))).await;
    assert!(matches!(try_write(&db, move |u| u.jobs().finish(id, "next", at(11))).await, Err(StoreError::Stale)));
    // Leases count real time, due times the business clock.
    queue(&db, vec![job("y", at(0), None)]).await;
    assert_eq!(write(&db, |u| u.jobs().claim(at(100), at(0), at(10), "a", 1)).await.len(), 1);
    assert_eq!(write(&db, |u| u.jobs().claim(at(9_999), at(9), at(20), "b", 1)).await, []);
    assert_eq!(write(&db, |u| u.jobs().claim(at(-100), at(10), at(20), "b", 1)).await.len(), 1);
}

async fn a_lease_lives_as_long_as_it_is_renewed(db: TestDb) {
    let (mine, done, theirs) = (job("mine", at(0), None), job("done", at(1), None), job("theirs", at(2), None));
    let done_id = done.id;
    queue(&db, vec![mine, done, theirs]).await;
    assert_eq!(claim(&db, 3, 10, "w", 2).await.len(), 2);
    assert_eq!(claim(&db, 3, 10, "other", 2).await.len(), 1);
    write(&db, move |u| u.jobs().finish(done_id, "w", at(4))).await;
    // Only what it still works on, and only its own.
    assert_eq!(write(&db, |u| u.jobs().renew("w", at(20))).await, 1);
    assert_eq!(kinds(&claim(&db, 10, 30, "next", 10).await), ["theirs"]);
    assert_eq!(kinds(&claim(&db, 20, 30, "next", 10).await), ["mine"]);
    assert_eq!(write(&db, |u| u.jobs().renew("w", at(50))).await, 0, "too late");
}

async fn leases_are_ended_at_a_restart(db: TestDb) {
    queue(&db, vec![job("x", at(0), None), job("y", at(50), None)]).await;
    claim(&db, 0, 1_000, "before", 1).await;
    assert_eq!(write(&db, |u| u.jobs().release_leases()).await, 1);
    assert_eq!(kinds(&claim(&db, 1, 10, "after", 10).await), ["x"]);
}

async fn a_stranger_cannot_end_a_job(db: TestDb) {
    let made = job("x", at(0), None);
    let id = made.id;
    queue(&db, vec![made]).await;
    let not_claimed = try_write(&db, move |u| u.jobs().finish(id, "w", at(0))).await;
    assert!(matches!(not_claimed, Err(StoreError::Stale)));
    claim(&db, 0, 10, "w", 1).await;
    for told in [
        try_write(&db, move |u| u.jobs().finish(id, "stranger", at(0))).await,
        try_write(&db, move |u| u.jobs().retry(id, "stranger", at(0), "e")).await,
        try_write(&db, move |u| u.jobs().bury(id, "stranger", at(0), "e")).await,
    ] {
        assert!(matches!(told, Err(StoreError::Stale)), "{told:?}");
    }
    write(&db, move |u| u.jobs().finish(id, "w", at(1))).await;
}

async fn a_retried_job_keeps_its_count_and_its_error(db: TestDb) {
    let made = job("x", at(0), Some("k"));
    let id = made.id;
    queue(&db, vec![made]).await;
    claim(&db, 0, 10, "w", 1).await;
    write(&db, move |u| u.jobs().retry(id, "w", at(5), "trop tôt 太早")).await;
    assert_eq!(claim(&db, 4, 10, "w", 1).await, []);
    let got = claim(&db, 5, 15, "w", 1).await;
    assert_eq!((got[0].attempts, got[0].failures), (2, 1));
    assert_eq!(got[0].last_error.as_deref(), Some("trop tôt 太早"));
    // A worker that went is another claim, and no failure of the job.
    let got = claim(&db, 15, 25, "next", 1).await;
    assert_eq!((got[0].attempts, got[0].failures), (3, 1));
}

async fn what_failed_and_waits_is_listed(db: TestDb) {
    let made =
        [job("late", at(0), None), job("soon", at(0), None), job("lost", at(0), None), job("fresh", at(9), None)];
    let [late, soon, lost] = [made[0].id, made[1].id, made[2].id];
    queue(&db, made.to_vec()).await;
    claim(&db, 0, 10, "w", 3).await;
    write(&db, move |u| {
        u.jobs().retry(late, "w", at(50), "no")?;
        u.jobs().retry(soon, "w", at(20), "not yet")?;
        u.jobs().bury(lost, "w", at(1), "never")
    })
    .await;
    let list = |limit| read(&db, move |u| u.jobs().failing(limit));
    let all = list(9).await;
    assert_eq!(kinds(&all), ["soon", "late"], "the next one first, without what never failed and what was given up");
    assert_eq!((all[0].run_at, all[0].last_error.as_deref()), (at(20), Some("not yet")));
    assert_eq!(kinds(&list(1).await), ["soon"]);
}

async fn one_job_a_key_waits(db: TestDb) {
    let (first, mut second) = (job("bill", at(5), Some("bill:1")), job("bill", at(9), Some("bill:1")));
    second.payload = serde_json::json!({ "n": 2 });
    second.max_attempts = 3;
    let id = first.id;
    queue(
        &db,
        vec![first, second, job("bill", at(1), Some("bill:2")), job("bill", at(1), None), job("bill", at(1), None)],
    )
    .await;
    assert_eq!(claim(&db, 5, 10, "w", 10).await.len(), 3, "moved to later; jobs without a key do not meet");
    let got = claim(&db, 9, 10, "w", 10).await;
    assert_eq!((got.len(), got[0].id, got[0].max_attempts, got[0].attempts), (1, id, 3, 1));
    assert_eq!(got[0].payload, serde_json::json!({ "n": 2 }));
}

async fn a_running_job_does_not_stop_a_new_one(db: TestDb) {
    let (first, second) = (job("old", at(0), Some("k")), job("new", at(3), Some("k")));
    let (old, new) = (first.id, second.id);
    queue(&db, vec![first]).await;
    claim(&db, 0, 10, "w", 1).await;
    queue(&db, vec![second]).await;
    // The running one fails: the newer request runs instead of a repetition.
    write(&db, move |u| u.jobs().retry(old, "w", at(1), "failed")).await;
    let got = claim(&db, 9, 20, "w", 10).await;
    assert_eq!(got.iter().map(|j| j.id).collect::<Vec<_>>(), [new]);
    write(&db, move |u| u.jobs().bury(new, "w", at(9), "e")).await;
    // A dead job is revived into a key that is queued again: the queued one stands for both.
    queue(&db, vec![job("newest", at(12), Some("k"))]).await;
    assert!(write(&db, move |u| u.jobs().revive(new, at(10))).await);
    assert_eq!(kinds(&claim(&db, 99, 100, "w", 10).await), ["newest"]);
}

async fn many_requests_of_one_key_leave_one_job(db: TestDb) {
    let requests = (0..30).map(|n| {
        let made = job("x", at(n), Some("k"));
        try_write(&db, move |u| u.jobs().enqueue(&made))
    });
    for told in futures_util::future::join_all(requests).await {
        told.unwrap();
    }
    assert_eq!(claim(&db, 99, 100, "w", 100).await.len(), 1);
}

async fn withdrawn_jobs_are_gone_unless_they_run(db: TestDb) {
    queue(&db, vec![job("x", at(0), Some("k"))]).await;
    assert_eq!(write(&db, |u| u.jobs().withdraw("k")).await, 1);
    assert_eq!(write(&db, |u| u.jobs().withdraw("k")).await, 0);
    queue(&db, vec![job("x", at(0), Some("k"))]).await;
    let got = claim(&db, 0, 10, "w", 1).await;
    assert_eq!(write(&db, |u| u.jobs().withdraw("k")).await, 0);
    let id = got[0].id;
    write(&db, move |u| u.jobs().finish(id, "w", at(1))).await;
}

async fn the_dead_are_listed_and_revived(db: TestDb) {
    let made = [job("a", at(0), None), job("b", at(0), Some("k")), job("c", at(0), None)];
    let ids = [made[0].id, made[1].id, made[2].id];
    queue(&db, made.to_vec()).await;
    claim(&db, 0, 10, "w", 10).await;
    write(&db, move |u| u.jobs().retry(ids[1], "w", at(1), "pas encore")).await;
    claim(&db, 1, 10, "w", 1).await;
    write(&db, move |u| {
        u.jobs().bury(ids[0], "w", at(2), "no")?;
        u.jobs().bury(ids[1], "w", at(3), "non")?;
        u.jobs().bury(ids[2], "w", at(1), "不")
    })
    .await;
    let dead = read(&db, |u| u.jobs().dead(2)).await;
    assert_eq!(kinds(&dead), ["b", "a"]);
    assert_eq!(dead[0].last_error.as_deref(), Some("non"));
    assert_eq!(claim(&db, 99, 100, "w", 10).await, []);
    let revived = write(&db, move |u| {
        Ok((u.jobs().revive(ids[1], at(4))?, u.jobs().revive(ids[1], at(4))?, u.jobs().revive(JobId(uuid()), at(4))?))
    })
    .await;
    assert_eq!(revived, (true, false, false));
    let got = claim(&db, 4, 100, "w", 10).await;
    assert_eq!((kinds(&got), got[0].attempts, got[0].failures), (vec!["b"], 1, 0));
    // Taken off the list, once, and only from there.
    let dropped = write(&db, move |u| u.jobs().discard(ids[0], at(5))).await.unwrap();
    assert_eq!((dropped.id, dropped.last_error.as_deref()), (ids[0], Some("no")));
    assert_eq!(write(&db, move |u| u.jobs().discard(ids[0], at(5))).await, None);
    assert_eq!(write(&db, move |u| u.jobs().discard(ids[1], at(5))).await, None, "it runs");
    assert_eq!(kinds(&read(&db, |u| u.jobs().dead(9)).await), ["c"]);
    assert_eq!(read(&db, |u| u.jobs().figures(at(9))).await.dead, 1);
}

async fn figures_and_purge(db: TestDb) {
    assert_eq!(read(&db, |u| u.jobs().figures(at(0))).await, QueueFigures::default());
    assert_eq!(read(&db, |u| u.jobs().next_run_at(at(99))).await, None);
    let made = [
        job("done", at(0), None),
        job("dead", at(0), None),
        job("due", at(1), None),
        job("due", at(2), None),
        job("later", at(9), None),
    ];
    let ids = [made[0].id, made[1].id];
    queue(&db, made.to_vec()).await;
    claim(&db, 0, 10, "w", 10).await;
    write(&db, move |u| {
        u.jobs().finish(ids[0], "w", at(1))?;
        u.jobs().bury(ids[1], "w", at(1), "e")
    })
    .await;
    let want = QueueFigures { due: 2, waiting: 1, dead: 1, oldest_due: Some(at(1)) };
    assert_eq!(read(&db, |u| u.jobs().figures(at(2))).await, want);
    assert_eq!(read(&db, |u| u.jobs().next_run_at(at(99))).await, Some(at(1)));
    assert_eq!(write(&db, |u| u.jobs().purge(at(1))).await, 0, "older than, not as old as");
    assert_eq!(write(&db, |u| u.jobs().purge(at(2))).await, 1);
    assert_eq!(read(&db, |u| u.jobs().figures(at(2))).await, want, "the dead stay until somebody looks");
}

/// Real time holds it back, whatever the business clock says; asking for it again does not wait.
async fn held_back_in_real_time(db: TestDb) {
    use service::ports::jobs::NewJob;
    let held = NewJob { held_until: Some(at(50)), ..job("held", at(1), Some("key")) };
    let (id, moved) = (held.id, NewJob { held_until: None, ..job("held", at(2), Some("key")) });
    queue(&db, vec![held]).await;
    assert_eq!(read(&db, |u| u.jobs().next_run_at(at(49))).await, None);
    assert_eq!(read(&db, |u| u.jobs().next_run_at(at(50))).await, Some(at(1)));
    let early = write(&db, |u| u.jobs().claim(at(9), at(49), at(60), "w", 10)).await;
    assert_eq!(early, []);
    let claimed = write(&db, |u| u.jobs().claim(at(9), at(50), at(60), "w", 10)).await;
    assert_eq!((claimed.len(), claimed[0].attempts), (1, 1));
    write(&db, move |u| u.jobs().hold_back(id, "w", at(70))).await;
    assert_eq!(write(&db, |u| u.jobs().claim(at(9), at(69), at(80), "w", 10)).await, []);
    let again = write(&db, |u| u.jobs().claim(at(9), at(70), at(80), "w", 10)).await;
    assert_eq!(again[0].attempts, 1, "being held back costs no attempt");
    // Asked for anew while it runs: the new request stands for both.
    queue(&db, vec![moved]).await;
    write(&db, move |u| u.jobs().hold_back(id, "w", at(90))).await;
    let fresh = write(&db, |u| u.jobs().claim(at(9), at(71), at(80), "w", 10)).await;
    assert_eq!(fresh.len(), 1, "one of them is left, and it does not wait");
    assert_ne!(fresh[0].id, id);
}

async fn a_lane_claims_its_own_kinds(db: TestDb) {
    const MAIL: Kinds = Kinds::Only(&["letter"]);
    const MONEY: Kinds = Kinds::Only(&["refund", "bill"]);
    queue(
        &db,
        vec![
            job("bill", at(0), None),
            job("letter", at(1), None),
            job("bill", at(2), None),
            job("letter", at(9), None),
        ],
    )
    .await;
    let one = async |now: i64, wall: i64, kinds: Kinds| {
        write(&db, move |u| u.jobs().claim_one(at(now), at(wall), at(wall + 10), "w", kinds))
            .await
            .map(|j| (j.kind, j.run_at, j.attempts))
    };
    let (letter, bill) = ("letter".to_owned(), "bill".to_owned());
    assert_eq!(read(&db, |u| u.jobs().next_run_of(MAIL, at(99), at(1))).await, Some(at(1)));
    assert_eq!(read(&db, |u| u.jobs().next_run_of(MAIL, at(99), at(0))).await, None, "none as early as that");
    assert_eq!(one(3, 0, MAIL).await, Some((letter.clone(), at(1), 1)));
    assert_eq!(one(3, 0, MAIL).await, None, "the next letter is not due");
    assert_eq!(one(3, 0, MONEY).await, Some((bill.clone(), at(0), 1)));
    assert_eq!(one(3, 0, Kinds::All).await, Some((bill.clone(), at(2), 1)));
    assert_eq!(read(&db, |u| u.jobs().next_run_of(MONEY, at(99), at(999))).await, None);
    // A lost lease is found again by its own lane only.
    assert_eq!(one(3, 10, MAIL).await, Some((letter, at(1), 2)));
    assert_eq!(one(3, 10, MAIL).await, None);
    assert_eq!(one(3, 10, MONEY).await, Some((bill, at(0), 2)));
}

/// What a copy of a database finds on its list: due, under way when the copy was made, later, given up, of another lane.
async fn what_is_due_is_taken_off_and_named(db: TestDb) {
    const MAIL: Kinds = Kinds::Only(&["letter"]);
    let made = [
        job("letter", at(0), None),
        job("letter", at(1), None),
        job("letter", at(2), None),
        job("letter", at(9), None),
        job("bill", at(1), None),
    ];
    let ids = made.clone().map(|j| j.id);
    queue(&db, made.to_vec()).await;
    let one = write(&db, |u| u.jobs().claim_one(at(5), at(5), at(99), "w", MAIL)).await.unwrap();
    write(&db, move |u| u.jobs().bury(one.id, "w", at(5), "no")).await;
    let running = write(&db, |u| u.jobs().claim_one(at(5), at(5), at(99), "w", MAIL)).await.unwrap();
    assert_eq!([one.id, running.id], [ids[0], ids[1]]);
    let taken = write(&db, |u| u.jobs().skip_due(MAIL, at(5))).await;
    let named: HashSet<_> = taken.iter().map(|j| (j.id, j.kind.as_str())).collect();
    assert_eq!(named, HashSet::from([(ids[1], "letter"), (ids[2], "letter")]));
    assert_eq!(write(&db, |u| u.jobs().skip_due(MAIL, at(5))).await, []);
    // Whoever worked on it finds that it is nobody's any more, and nobody takes it up.
    let late = try_write(&db, move |u| u.jobs().finish(running.id, "w", at(6))).await;
    assert!(matches!(late, Err(StoreError::Stale)), "{late:?}");
    assert_eq!(write(&db, |u| u.jobs().claim_one(at(5), at(500), at(600), "v", MAIL)).await, None);
    let left = read(&db, |u| u.jobs().figures(at(5))).await;
    assert_eq!((left.due, left.waiting, left.dead), (1, 1, 1));
}

/// The network that was waited for may be there again: nothing waits for real time any more, and what is due later is
/// as late as before.
async fn what_was_held_back_is_let_go(db: TestDb) {
    const MAIL: Kinds = Kinds::Only(&["letter"]);
    let held = |kind, run_at| service::ports::jobs::NewJob { held_until: Some(at(50)), ..job(kind, at(run_at), None) };
    queue(&db, vec![held("letter", 1), held("letter", 9), held("bill", 1), job("letter", at(2), None)]).await;
    assert_eq!(write(&db, |u| u.jobs().let_go(MAIL)).await, 2);
    assert_eq!(write(&db, |u| u.jobs().let_go(MAIL)).await, 0);
    let claimed = write(&db, |u| u.jobs().claim(at(5), at(5), at(60), "w", 10)).await;
    assert_eq!(
        claimed.iter().map(|j| (j.kind.as_str(), j.run_at)).collect::<Vec<_>>(),
        [("letter", at(1)), ("letter", at(2))]
    );
}

/// A job that takes its worker down every time, or meets every crash, leaves the others a worker that lives.
async fn what_keeps_losing_its_workers_pauses(db: TestDb) {
    queue(&db, vec![job("bill", at(0), Some("bill:1")), job("letter", at(1), None)]).await;
    let one = async |wall: i64| {
        write(&db, move |u| u.jobs().claim_one(at(5), at(wall), at(wall), "killed", Kinds::All)).await
    };
    for n in 0..20 {
        assert_eq!(one(n).await.unwrap().kind, "bill", "try {n}");
    }
    let letter = one(20).await.unwrap();
    assert_eq!(letter.kind, "letter", "the other one has its turn");
    write(&db, move |u| u.jobs().finish(letter.id, "killed", at(5))).await;
    assert_eq!(one(20).await, None, "a minute");
    assert_eq!(one(21).await.unwrap().attempts, 21);
    // Each time again.
    assert_eq!(one(21).await, None);
    assert_eq!(one(22).await.unwrap().attempts, 22);
    // What was asked for anew meanwhile runs instead.
    queue(&db, vec![job("bill", at(3), Some("bill:1"))]).await;
    let anew = one(22).await.unwrap();
    assert_eq!((anew.attempts, anew.run_at), (1, at(3)));
    write(&db, move |u| u.jobs().finish(anew.id, "killed", at(5))).await;
    assert_eq!(one(30).await, None);
    let figures = read(&db, |u| u.jobs().figures(at(5))).await;
    assert_eq!((figures.due, figures.waiting, figures.dead), (0, 0, 0));
}
