//! Bodies of examples that several rows share.

use serde_json::{Value, json};

/// A small move inside Montréal, as the estimate takes it.
pub fn estimate() -> Value {
    json!({
        "travelDuration": 15,
        "selectedFurnitures": { "furnitures": furniture() },
        "mateCount": 2,
        "locationDetails": [
            { "floor": 1, "elevator": 0, "parking": true, "accessibility": "easy" },
            { "floor": 0, "elevator": 0, "parking": true, "accessibility": "easy" }
        ],
        "movingDate": "2027-02-17",
        "pickupAddress": { "province": "QC", "city": "Montréal", "postalCode": "H2X 1Y4" },
        "distanceKm": "6.2"
    })
}

/// The same move, on the days around July 1.
pub fn prices() -> Value {
    let mut body = estimate();
    body["from"] = json!("2027-06-20");
    body["days"] = json!(42);
    body
}

fn furniture() -> Value {
    json!([{ "id": "couch-3-seats", "quantity": 1 }])
}

/// The same move as a draft; each row its own day, so that none takes the other's time.
pub fn draft(date: &str) -> Value {
    json!({
        "pickup": { "country": "Canada", "province": "QC", "postalCode": "H2X 1Y4", "city": "Montréal", "street": "3500 Rue Saint-Urbain" },
        "dropoff": { "country": "Canada", "province": "QC", "postalCode": "H4C 1K4", "city": "Montréal", "street": "4100 Rue Notre-Dame Ouest" },
        "pickupFloor": 1, "dropoffFloor": 0,
        "pickupHasParking": true, "dropoffHasParking": true,
        "date": date, "time": "09:00",
        "bookingType": "residential",
        "selectedFurnitures": furniture(),
        "mateCount": 2,
        "guidelinesAgreed": true
    })
}
