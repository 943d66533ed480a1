//! What a row or a record reads that somebody changed in the database, in the language of the caller.

use kernel::{
    Money,
    chrono::{DateTime, Utc},
};
use serde_json::Value;
use service::{
    billing::misread::RowField,
    formats,
    ports::{copies::Misread, payments::PaymentKind},
};

use super::words::Words;
use crate::http::texts::{exists, text};

impl Words {
    /// What a field of a row names, by its name.
    pub(super) fn row_field(self, field: RowField) -> String {
        text(&format!("rowField.{}", field.code()), self.0)
    }

    /// What a field of a row reads.
    pub(super) fn row_value(self, field: RowField, reads: &str) -> String {
        let kind = || PaymentKind::from_code(reads).map(|kind| text(&format!("charge.{}", kind.code()), self.0));
        let known = match field {
            RowField::Kind | RowField::Charge => kind(),
            RowField::Method => {
                Some(format!("rowMethod.{reads}")).filter(|key| exists(key)).map(|key| text(&key, self.0))
            }
            RowField::Booking | RowField::Transaction | RowField::Order => None,
        };
        let nothing = || text("rowField.none", self.0);
        known.unwrap_or_else(|| if reads == "none" { nothing() } else { reads.to_owned() })
    }

    /// What a field of a record reads, where that can be said in a few words.
    fn record_value(self, field: &str, value: &Value) -> Option<String> {
        match value {
            Value::Null => Some(text("record.nothing", self.0)),
            Value::String(reads) if field == "status" => {
                Some(format!("recordStatus.{reads}")).filter(|key| exists(key)).map(|key| text(&key, self.0))
            }
            Value::String(reads) if matches!(field, "province" | "hub") => Some(reads.clone()),
            Value::Number(reads) if field == "mateCount" => Some(reads.to_string()),
            Value::Number(reads) if field == "duration" => {
                reads.as_u64().and_then(|n| u32::try_from(n).ok()).map(|n| formats::minutes(n, self.0))
            }
            Value::String(reads) => match (reads.parse::<Money>(), reads.parse::<DateTime<Utc>>()) {
                (Ok(amount), _) => Some(self.money(amount)),
                (_, Ok(at)) => Some(self.moment(at)),
                _ => None,
            },
            _ => None,
        }
    }

    /// What a record reads, field by field.
    pub(super) fn misread(self, fields: &[Misread]) -> String {
        self.list(fields.iter().map(|m| {
            let field = text(&format!("recordField.{}", m.field), self.0);
            let values = (self.record_value(&m.field, &m.reads), self.record_value(&m.field, &m.right));
            match values {
                (Some(reads), Some(right)) => {
                    self.fill("record.changed", &[("field", field), ("reads", reads), ("right", right)])
                }
                _ => self.fill("record.changed_plain", &[("field", field)]),
            }
        }))
    }

    /// What a record will read, field by field.
    pub(super) fn put_back(self, fields: &[Misread]) -> String {
        self.list(fields.iter().map(|m| {
            let field = text(&format!("recordField.{}", m.field), self.0);
            match self.record_value(&m.field, &m.right) {
                Some(right) => self.fill("record.put_back", &[("field", field), ("right", right)]),
                None => self.fill("record.changed_plain", &[("field", field)]),
            }
        }))
    }
}

#[cfg(test)]
mod tests {
    use kernel::Language;
    use service::ports::{copies::BookingCopy, payments::PaidWith};

    use super::*;

    #[test]
    fn each_field_has_words() {
        let keys = RowField::ALL.map(|f| format!("rowField.{}", f.code())).into_iter();
        let keys = keys.chain(BookingCopy::FIELDS.iter().map(|f| format!("recordField.{f}")));
        let keys = keys.chain(PaidWith::ALL.map(|m| format!("rowMethod.{}", m.code())));
        let states = status_machine::booking::Status::ALL.iter().map(|s| format!("recordStatus.{}", s.code()));
        let missing: Vec<String> = keys.chain(states).filter(|key| !exists(key)).collect();
        assert_eq!(missing, Vec::<String>::new());
    }

    #[test]
    fn what_can_be_said_is_said() {
        let misread = |field: &str, reads: Value, right: Value| Misread { field: field.into(), reads, right };
        let fields = [
            misread("status", "cancelled".into(), "pending".into()),
            misread("total", "600.00".into(), "574.88".into()),
            misread("kept", Value::Null, "114.98".into()),
            misread("policy", serde_json::json!({"deposit": 1}), serde_json::json!({})),
        ];
        let words = Words(Language::En);
        assert_eq!(
            words.misread(&fields),
            "status reads “cancelled”, Portage wrote “pending”, total reads “$600.00”, Portage wrote “$574.88”, what the cancellation keeps reads “nothing”, Portage wrote “$114.98”, policy"
        );
        assert_eq!(words.put_back(&fields[1..2]), "total “$574.88”");
        assert_eq!(words.row_value(RowField::Kind, "deposit"), text("charge.deposit", Language::En));
        assert_eq!(words.row_value(RowField::Charge, "none"), "nothing");
        assert_eq!(words.row_value(RowField::Booking, "K7M2QX"), "K7M2QX");
    }
}
